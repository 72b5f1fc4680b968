#include "compiler/program/target_attributes.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace quern::compiler {

llvm::PreservedAnalyses TargetAttributesPass::run(llvm::Module& module,
                                                  llvm::ModuleAnalysisManager&) {
  for (llvm::Function& function : module) {
    if (function.isIntrinsic())
      continue;
    function.removeFnAttr(llvm::Attribute::Convergent);
    function.removeFnAttr("stack-protector-buffer-size");
    function.addFnAttr(llvm::Attribute::NoUnwind);
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine_.getTargetCPU());
    function.addFnAttr("target-features", machine_.getTargetFeatureString());
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          call && !call->getIntrinsicID())
        call->removeFnAttr(llvm::Attribute::Convergent);
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
