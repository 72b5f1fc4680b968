#include "compiler/program/initializers.h"

#include <llvm/IR/Module.h>

namespace quern::compiler {

llvm::PreservedAnalyses InitializersPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (const char* name : {"llvm.global_ctors", "llvm.global_dtors"}) {
    llvm::GlobalVariable* list = module.getGlobalVariable(name);
    if (!list)
      continue;
    if (list->hasInitializer() && !list->getInitializer()->isNullValue())
      module.getContext().emitError(
          "a program-scope object needs a constructor or destructor to run before or after "
          "every kernel, which is not supported: its initialiser must be constant");
    list->eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
