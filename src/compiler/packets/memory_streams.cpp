#include "compiler/packets/memory_streams.h"

#include <cstdlib>
#include <set>

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/il/address_space.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {
namespace {

/// An address without its constant, and the page that the constant leads to.
using Place = std::pair<const llvm::SCEV*, int64_t>;

Place placeOf(const llvm::SCEV* address, llvm::ScalarEvolution& evolution) {
  const auto* sum = llvm::dyn_cast<llvm::SCEVAddExpr>(address);
  const auto* constant = sum ? llvm::dyn_cast<llvm::SCEVConstant>(sum->getOperand(0)) : nullptr;
  if (!constant)
    return {address, 0};
  llvm::SmallVector<const llvm::SCEV*, 4> others(llvm::drop_begin(sum->operands()));
  return {evolution.getAddExpr(others),
          constant->getAPInt().getSExtValue() / static_cast<int64_t>(TargetModel::pageBytes)};
}

} // namespace

unsigned countMemoryStreams(llvm::Function& region, const Shapes& shapes,
                            llvm::ScalarEvolution& evolution) {
  std::set<Place> places;
  for (llvm::Instruction& instruction : llvm::instructions(region)) {
    llvm::Value* address = llvm::getLoadStorePointerOperand(&instruction);
    // Local and private memory stays in the first cache.
    const unsigned space = address ? address->getType()->getPointerAddressSpace() : 0;
    if (!address || (space != address_space::global && space != address_space::constant))
      continue;
    const Shape shape = shapes.of(address);
    if (shape.isAffine() && std::abs(shape.stride) <= int64_t{TargetModel::lineBytes})
      places.insert(placeOf(evolution.getSCEV(address), evolution));
  }
  return static_cast<unsigned>(places.size());
}

} // namespace quern::compiler
