#include "compiler/target/nvptx/aligned_elements.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

bool accessesElements(const llvm::Function& function) {
  const llvm::StringRef name = function.getName();
  return name.starts_with(names::fetchPrefix) || name.starts_with(names::storePrefix);
}

/// An element is 1, 2, 4, 8 or 16 bytes; what else is accessed there is known to be aligned.
template <typename Access> bool align(Access& access, llvm::Type* type) {
  const uint64_t bytes = access.getDataLayout().getTypeStoreSize(type);
  if (access.getAlign() != llvm::Align(1) || !llvm::isPowerOf2_64(bytes))
    return false;
  access.setAlignment(llvm::Align(bytes));
  return true;
}

bool alignAccesses(llvm::Function& function) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      changed |= align(*load, load->getType());
    else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      changed |= align(*store, store->getValueOperand()->getType());
  }
  return changed;
}

} // namespace

llvm::PreservedAnalyses AlignedElementsPass::run(llvm::Module& module,
                                                 llvm::ModuleAnalysisManager&) {
  bool changed = false;
  for (llvm::Function& function : module)
    if (accessesElements(function))
      changed |= alignAccesses(function);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
