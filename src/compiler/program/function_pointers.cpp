#include "compiler/program/function_pointers.h"

#include "compiler/il/function_pointers.h"

namespace quern::compiler {

llvm::PreservedAnalyses FunctionPointersPass::run(llvm::Module& module,
                                                  llvm::ModuleAnalysisManager&) {
  const std::vector<AddressedFunction> addressed = addressedFunctions(module);
  if (addressed.empty())
    return llvm::PreservedAnalyses::all();
  for (llvm::Function& function : module)
    if (isPointerCaller(function))
      for (const AddressedFunction& target : addressed)
        addTarget(function, target);
  dropAddressedFunctions(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
