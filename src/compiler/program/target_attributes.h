#pragma once

#include <llvm/IR/PassManager.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Tells every function which processor it runs on and what it need not care about: exceptions, and
/// convergence, which barriers alone had and no longer do.
class TargetAttributesPass : public llvm::PassInfoMixin<TargetAttributesPass> {
public:
  static constexpr Contract contract = {.required = {Property::RegionsFormed}};

  explicit TargetAttributesPass(const PassSettings& settings) : machine_(settings.machine) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

private:
  const llvm::TargetMachine& machine_;
};

} // namespace quern::compiler
