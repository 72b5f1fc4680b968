#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Replaces opaque types of OpenCL C by what kernels work with (il/opaque_types.h), in every
/// function and variable, and resolves what turns the one into the other: constant samplers become
/// constants.
class LowerOpaqueTypesPass : public llvm::PassInfoMixin<LowerOpaqueTypesPass> {
public:
  static constexpr Contract contract = {.set = {Property::OpaqueTypesLowered}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
