#include "compiler/frontend/declared_kernels.h"

#include <llvm/IR/Instructions.h>

#include "compiler/il/names.h"

namespace quern::compiler {

void completeDeclaredKernels(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL)
      continue;
    llvm::Function* body = module.getFunction((names::clangKernelBody + function.getName()).str());
    if (!body)
      continue;
    function.setCallingConv(llvm::CallingConv::SPIR_KERNEL);
    for (llvm::User* user : llvm::make_early_inc_range(function.users()))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user);
          call && call->getCalledOperand() == &function)
        call->setCalledFunction(body);
  }
}

} // namespace quern::compiler
