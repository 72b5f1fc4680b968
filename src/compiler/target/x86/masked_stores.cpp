#include "compiler/target/x86/masked_stores.h"

#include <optional>

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/il/intrinsic_calls.h"

namespace quern::compiler {
namespace {

/// The only element that a mask lets through, if there is one and only one.
std::optional<unsigned> onlyElement(const llvm::Value* mask) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(mask);
  if (!constant)
    return std::nullopt;
  std::optional<unsigned> only;
  const unsigned count = llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements();
  for (unsigned i = 0; i < count; ++i) {
    const llvm::Constant* element = constant->getAggregateElement(i);
    if (!element || !element->isNullValue()) {
      if (only || !element || !element->isOneValue())
        return std::nullopt;
      only = i;
    }
  }
  return only;
}

bool replaceByPlainStore(llvm::IntrinsicInst& store) {
  const std::optional<unsigned> only = onlyElement(store.getArgOperand(2));
  if (!only)
    return false;
  llvm::IRBuilder<> builder(&store);
  llvm::Value* element = builder.CreateExtractElement(store.getArgOperand(0), *only);
  llvm::Value* place =
      builder.CreateConstGEP1_64(element->getType(), store.getArgOperand(1), *only);
  const uint64_t bytes = store.getDataLayout().getTypeStoreSize(element->getType());
  const llvm::Align alignment = store.getParamAlign(1).valueOrOne();
  builder.CreateAlignedStore(element, place, llvm::commonAlignment(alignment, bytes * *only));
  store.eraseFromParent();
  return true;
}

} // namespace

llvm::PreservedAnalyses MaskedStoresPass::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager&) {
  return replaceCalls(function, llvm::Intrinsic::masked_store, replaceByPlainStore);
}

} // namespace quern::compiler
