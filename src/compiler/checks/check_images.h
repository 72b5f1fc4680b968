#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// The part of the check "memory" for images, in functions of the program: coordinates outside of
/// an image that is written, or read without a sampler. The library then writes nothing and reads
/// 0.
class CheckImagesPass : public llvm::PassInfoMixin<CheckImagesPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::OpaqueTypesLowered, Property::NothingAssumed},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
