#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Makes atomic operations on local memory plain ones: a work-group runs on one thread, so nobody
/// else sees its local memory. Only once nothing is said any more about accesses of different
/// work-items being independent, because these are not.
class LocalAtomicsPass : public llvm::PassInfoMixin<LocalAtomicsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
