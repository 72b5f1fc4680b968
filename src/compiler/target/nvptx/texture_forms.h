#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Puts the tests of whether an image has a texture (names::hasTexture) in front of a kernel, where
/// that reads images that are its arguments: it gets a second body for images that all have their
/// textures. Without branches around them many reads can be under way at the same time.
///
/// Any other test stays where it is.
class TextureFormsPass : public llvm::PassInfoMixin<TextureFormsPass> {
public:
  /// Without `hasForms` every test stays where it is.
  explicit TextureFormsPass(bool hasForms) : hasForms_(hasForms) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }

private:
  bool hasForms_;
};

} // namespace quern::compiler
