#include "compiler/packets/prefetch.h"

#include <cstdlib>

#include <llvm/IR/IntrinsicInst.h>

#include "compiler/target/target_model.h"

namespace quern::compiler {

bool isPrefetch(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == llvm::Intrinsic::prefetch;
}

/// The first address may be anywhere in its line, so that the last one may be in another.
llvm::SmallVector<unsigned, 64> prefetchingItems(Shape addresses, unsigned width) {
  constexpr int64_t lineBytes = TargetModel::lineBytes;
  llvm::SmallVector<unsigned, 64> items = {0};
  for (unsigned item = 1; item < width; ++item) {
    const int64_t apart =
        addresses.isVarying() ? lineBytes : addresses.offset(item) - addresses.offset(items.back());
    if (std::abs(apart) >= lineBytes || (item + 1 == width && apart != 0))
      items.push_back(item);
  }
  return items;
}

} // namespace quern::compiler
