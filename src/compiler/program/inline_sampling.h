#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Compiles reads with a constant sampler into their callers, where the constant leaves only what
/// that sampler does. Reads with a sampler that the host gives stay calls.
class InlineSamplingPass : public llvm::PassInfoMixin<InlineSamplingPass> {
public:
  static constexpr Contract contract = {.required = {Property::OpaqueTypesLowered},
                                        .cleared = {Property::LoopsSimplified,
                                                    Property::LoopsClosed,
                                                    Property::AddressSpacesInferred}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
