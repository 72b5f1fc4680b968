#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Puts the tests of whether an image has a texture (names::hasTexture) in front of a kernel, where
/// that reads images that are its arguments: it gets a second body for images that all have their
/// textures. Without branches around them many reads can be under way at the same time.
///
/// Any other test stays where it is.
class TextureFormsPass : public llvm::PassInfoMixin<TextureFormsPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::NvptxKernels},
      .cleared = {Property::VariablesAreValues, Property::LoopsSimplified, Property::LoopsClosed}};

  /// With -cl-opt-disable every test stays where it is.
  explicit TextureFormsPass(const PassSettings& settings) : hasForms_(settings.optimize) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }

private:
  bool hasForms_;
};

} // namespace quern::compiler
