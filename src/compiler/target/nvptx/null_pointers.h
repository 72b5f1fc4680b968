#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Keeps null pointers null when they change their address space: the machine's conversion of 0 is
/// the first address of the window through which the generic space sees local or private memory.
///
/// From compute capability 8.0 on no variable is at the address 0 of local memory, of which the
/// driver keeps the first bytes to itself, and none is there in private memory, whose stack grows
/// down. Before, only null pointers that are known to be some count.
/// Optimisations would take the test for null out again.
class NullPointersPass : public llvm::PassInfoMixin<NullPointersPass> {
public:
  static constexpr Contract contract = {.required = {Property::NvptxAddressSpaces},
                                        .cleared = {Property::OpenToOptimization}};

  explicit NullPointersPass(const PassSettings& settings);
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }

private:
  bool isNothingAtZero_;
};

} // namespace quern::compiler
