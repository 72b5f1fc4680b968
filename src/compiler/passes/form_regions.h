#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Cuts every item function at its barriers into one function for each region (regions/region_graph.h). Afterwards no barrier is
/// left, and what lives across one is kept in the group's context or, if uniform, in the work-group function.
class FormRegionsPass : public llvm::PassInfoMixin<FormRegionsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
