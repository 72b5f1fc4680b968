#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Lets the library's functions that read and write elements of images access each as a whole. The
/// library assumes nothing about where elements lie, because images in a program's own memory may
/// lie anywhere; those in a GPU's memory start at aligned addresses, and their pitches are
/// multiples of the element's size.
class AlignedElementsPass : public llvm::PassInfoMixin<AlignedElementsPass> {
public:
  static constexpr Contract contract = {.required = {Property::OpaqueTypesLowered}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
