#include "compiler/passes/work_group_loops.h"

#include <map>

#include <llvm/IR/Module.h>

#include "compiler/codegen/work_group_function.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/region_function.h"

namespace quern::compiler {

std::string entrySymbol(llvm::StringRef kernel) {
  return ("quern.kernel." + kernel).str();
}

llvm::PreservedAnalyses WorkGroupLoopsPass::run(llvm::Module& module,
                                                llvm::ModuleAnalysisManager&) {
  std::map<std::string, std::vector<llvm::Function*>> kernels;
  for (llvm::Function* function : kernelFunctions(module))
    if (function->hasFnAttribute(names::regionAttribute))
      kernels[function->getFnAttribute(names::kernelAttribute).getValueAsString().str()].push_back(
          function);
  for (auto& [kernel, regions] : kernels) {
    std::ranges::sort(regions, {}, [](const llvm::Function* region) {
      return numberAttribute(*region, names::regionAttribute);
    });
    WorkGroupFunction(regions, entrySymbol(kernel)).build();
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
