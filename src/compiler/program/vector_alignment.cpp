#include "compiler/program/vector_alignment.h"

#include <algorithm>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/il/address_space.h"

namespace quern::compiler {
namespace {

/// Of numbers that are no vectors.
constexpr llvm::Align widestElement = llvm::Align::Constant<8>();

bool isShared(const llvm::Value& pointer) {
  return pointer.getType()->getPointerAddressSpace() != address_space::privateMemory;
}

template <typename Access> bool lower(Access& access, const llvm::Type& type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  if (!vector || !isShared(*access.getPointerOperand()))
    return false;
  const llvm::Align ofElement = access.getDataLayout().getABITypeAlign(vector->getElementType());
  const bool changes = ofElement < access.getAlign();
  access.setAlignment(std::min(ofElement, access.getAlign()));
  return changes;
}

/// Copies of structs, which may hold vectors.
bool lower(llvm::MemTransferInst& copy) {
  bool changes = false;
  if (isShared(*copy.getRawSource()) && copy.getSourceAlign().valueOrOne() > widestElement) {
    copy.setSourceAlignment(widestElement);
    changes = true;
  }
  if (isShared(*copy.getRawDest()) && copy.getDestAlign().valueOrOne() > widestElement) {
    copy.setDestAlignment(widestElement);
    changes = true;
  }
  return changes;
}

} // namespace

llvm::PreservedAnalyses VectorAlignmentPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Argument& argument : function.args())
    if (argument.getType()->isPointerTy() && isShared(argument) &&
        argument.getParamAlign().valueOrOne() > widestElement) {
      argument.removeAttr(llvm::Attribute::Alignment);
      changed = true;
    }
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      changed |= lower(*load, *load->getType());
    else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      changed |= lower(*store, *store->getValueOperand()->getType());
    else if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
      changed |= lower(*copy);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
