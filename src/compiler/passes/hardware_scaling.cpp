#include "compiler/passes/hardware_scaling.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "compiler/il/names.h"

namespace quern::compiler {

llvm::PreservedAnalyses HardwareScalingPass::run(llvm::Module& module,
                                                 llvm::ModuleAnalysisManager&) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.getName().starts_with(names::scaled))
      continue;
    const llvm::GlobalValue::LinkageTypes linkage = function.getLinkage();
    function.deleteBody();
    function.setLinkage(linkage);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", &function));
    // An exponent of 64 bits is one of double's, which fits into 32.
    llvm::Value* exponent = function.getArg(1);
    llvm::Type* narrow = exponent->getType()->getWithNewBitWidth(32);
    builder.CreateRet(
        builder.CreateIntrinsic(llvm::Intrinsic::ldexp, {function.getReturnType(), narrow},
                                {function.getArg(0), builder.CreateTrunc(exponent, narrow)}));
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
