#include "compiler/target/x86/streaming_alignment.h"

#include <algorithm>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/il/streaming.h"

namespace quern::compiler {
namespace {

/// Bytes of the smallest and the largest register that can be stored past the caches.
constexpr uint64_t leastBytes = 16, mostBytes = 64;

/// Of the registers that hold the vector that `store` stores; 0 where it is none of whole ones.
uint64_t bytesOfRegister(const llvm::StoreInst& store) {
  const llvm::Type* type = store.getValueOperand()->getType();
  const uint64_t bytes = store.getDataLayout().getTypeStoreSize(store.getValueOperand()->getType());
  return type->isVectorTy() && bytes % leastBytes == 0 ? std::min(bytes & -bytes, mostBytes) : 0;
}

void streamWhereAligned(llvm::StoreInst& store, uint64_t alignment) {
  llvm::IRBuilder<> builder(&store);
  llvm::Value* address =
      builder.CreatePtrToInt(store.getPointerOperand(), builder.getInt64Ty(), "streamed");
  llvm::Value* isAligned = builder.CreateIsNull(builder.CreateAnd(address, alignment - 1));
  llvm::Instruction *aligned = nullptr, *other = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(
      isAligned, &store, &aligned, &other,
      llvm::MDBuilder(store.getContext()).createLikelyBranchWeights());
  auto* usual = llvm::cast<llvm::StoreInst>(store.clone());
  usual->setMetadata(llvm::LLVMContext::MD_nontemporal, nullptr);
  usual->insertBefore(other->getIterator());
  store.moveBefore(aligned->getIterator());
  store.setAlignment(llvm::Align(alignment));
}

} // namespace

llvm::PreservedAnalyses StreamingAlignmentPass::run(llvm::Function& function,
                                                    llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::StoreInst*> stores;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (isNontemporal(instruction))
      stores.push_back(llvm::cast<llvm::StoreInst>(&instruction));
  if (stores.empty())
    return llvm::PreservedAnalyses::all();
  for (llvm::StoreInst* store : stores)
    if (const uint64_t alignment = bytesOfRegister(*store);
        alignment != 0 && store->getAlign().value() < alignment)
      streamWhereAligned(*store, alignment);
  for (llvm::BasicBlock& block : function)
    if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
      llvm::IRBuilder<>(end).CreateIntrinsic(llvm::Intrinsic::x86_sse_sfence, {});
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
