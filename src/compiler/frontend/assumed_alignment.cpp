#include "compiler/frontend/assumed_alignment.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>

namespace quern::compiler {

void assumeAlignment(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || !function.getName().contains("__quern_assume_aligned"))
      continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getCalledFunction() != &function)
        continue;
      llvm::Value* pointer = call->getArgOperand(0);
      llvm::IRBuilder<>(call).CreateAlignmentAssumption(
          module.getDataLayout(), pointer, call->getArgOperand(1), call->getArgOperand(2));
      call->replaceAllUsesWith(pointer);
      call->eraseFromParent();
    }
    if (function.use_empty())
      function.eraseFromParent();
  }
}

} // namespace quern::compiler
