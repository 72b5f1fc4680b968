#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Gives volatile atomic operations the scope of the device, and those on local memory that of the
/// work-group, in which alone others can see it. Those that are not volatile keep their scope: the
/// library makes them for memory_scope_all_svm_devices only (builtins/nvptx/atomics.cl). Also puts
/// fences around read-modify-write operations, whose order LLVM 22 drops on the way to PTX.
class MemoryOrderPass : public llvm::PassInfoMixin<MemoryOrderPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::NvptxAddressSpaces, Property::OpenToOptimization},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
