#include "compiler/checks/checked_code.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "compiler/checks/names.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

bool isAccess(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst,
                   llvm::MemIntrinsic>(instruction);
}

/// Whether code of the program names `variable`, also within a constant.
bool isUsedByProgram(const llvm::Value& variable) {
  return llvm::any_of(variable.users(), [](const llvm::User* user) {
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
      return instruction->getFunction()->hasFnAttribute(names::programAttribute);
    return llvm::isa<llvm::Constant>(user) && isUsedByProgram(*user);
  });
}

} // namespace

llvm::PreservedAnalyses MarkCheckedCodePass::run(llvm::Module& module,
                                                 llvm::ModuleAnalysisManager&) {
  llvm::MDNode* mark = llvm::MDNode::get(module.getContext(), {});
  for (llvm::Function& function : module)
    if (function.hasFnAttribute(names::programAttribute))
      for (llvm::Instruction& instruction : llvm::instructions(function))
        if (isAccess(instruction))
          instruction.setMetadata(names::checkedMetadata, mark);
  for (llvm::GlobalVariable& variable : module.globals())
    if (isUsedByProgram(variable))
      variable.setMetadata(names::checkedMetadata, mark);
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
