#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Divisions and square roots of float that need not be rounded correctly (metadata `fpmath`)
/// become the instructions that are as precise as OpenCL C asks for, which LLVM's back end only
/// uses when told so for the whole process. Only in functions of the program and in library
/// functions that are nothing but such an operation: others may rely on exact rounding. The latter
/// keep their precision where the program asks for correct rounding.
class ApproximateDivisionPass : public llvm::PassInfoMixin<ApproximateDivisionPass> {
public:
  static constexpr Contract contract = {.required = {Property::NothingAssumed}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
