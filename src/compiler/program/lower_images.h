#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Replaces image types by the addresses of image descriptions and sampler_t by the sampler's bits
/// (il/image_types.h), in every function, and resolves what turns the one into the other: constant
/// samplers become constants.
class LowerImagesPass : public llvm::PassInfoMixin<LowerImagesPass> {
public:
  static constexpr Contract contract = {.set = {Property::ImagesLowered}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
