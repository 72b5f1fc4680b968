#include "compiler/target/x86/hardware_scaling.h"

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
    llvm::Type* number = function.getReturnType();
    llvm::Type* integer = number->getWithNewType(builder.getInt32Ty());
    llvm::Value* exponent = builder.CreateIntrinsic(llvm::Intrinsic::fptosi_sat, {integer, number},
                                                    {function.getArg(1)});
    builder.CreateRet(builder.CreateIntrinsic(llvm::Intrinsic::ldexp, {number, integer},
                                              {function.getArg(0), exponent}));
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
