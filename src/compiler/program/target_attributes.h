#pragma once

#include <llvm/IR/PassManager.h>
#include <llvm/Target/TargetMachine.h>

namespace quern::compiler {

/// Tells every function which processor it runs on and what it need not care about: exceptions, and
/// convergence, which barriers alone had and no longer do.
class TargetAttributesPass : public llvm::PassInfoMixin<TargetAttributesPass> {
public:
  explicit TargetAttributesPass(const llvm::TargetMachine& machine) : machine_(machine) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

private:
  const llvm::TargetMachine& machine_;
};

} // namespace quern::compiler
