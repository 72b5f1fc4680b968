#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Tells the driver's compiler how many work-items a multiprocessor needs at once at least. Without
/// that it orders instructions so that as few registers as possible are in use, for as many
/// work-items as possible, and every instruction waits for the one before it. Kernels that may
/// need more registers than so many work-items have are left alone.
class OccupancyPass : public llvm::PassInfoMixin<OccupancyPass> {
public:
  static constexpr Contract contract = {.required = {Property::NvptxKernels}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

} // namespace quern::compiler
