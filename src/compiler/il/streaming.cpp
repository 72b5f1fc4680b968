#include "compiler/il/streaming.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

#include "compiler/il/names.h"

namespace quern::compiler {

bool isStreamed(const llvm::Instruction& instruction) {
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  const auto* buffer =
      store && store->isSimple()
          ? llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(store->getPointerOperand(), 0))
          : nullptr;
  return buffer && buffer->hasAttribute(names::streamedAttribute);
}

bool isNontemporal(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::StoreInst>(instruction) &&
         instruction.hasMetadata(llvm::LLVMContext::MD_nontemporal);
}

void streamLike(llvm::ArrayRef<llvm::Instruction*> stores, llvm::StoreInst& vectors) {
  if (!llvm::all_of(stores, [](const llvm::Instruction* store) { return isStreamed(*store); }))
    return;
  llvm::LLVMContext& context = vectors.getContext();
  llvm::Type* type = llvm::Type::getInt32Ty(context);
  vectors.setMetadata(
      llvm::LLVMContext::MD_nontemporal,
      llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(type, 1))));
}

} // namespace quern::compiler
