#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Vectors in memory that work-items share need no more alignment than their elements have. OpenCL
/// C asks for that of a whole vector (6.3.5), but programs cast pointers to elements to pointers to
/// vectors without it, and other drivers for CPUs read them. Processors do so at no cost where the
/// vector happens to be aligned. Not for GPUs, which cannot. Checks of the alignment come before.
class VectorAlignmentPass : public llvm::PassInfoMixin<VectorAlignmentPass> {
public:
  static constexpr Contract contract = {.required = {Property::WorkItemBodies}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
