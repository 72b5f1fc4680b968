#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Puts every barrier of a work-item body into a block of its own with one successor that has no
/// other predecessor, gathers private variables at the function's start and drops unreachable code.
/// What RegionGraph expects.
class IsolateBarriersPass : public llvm::PassInfoMixin<IsolateBarriersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
