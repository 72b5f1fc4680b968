#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Computes addresses at a constant distance from another in the block where they are used. There
/// the distance is part of the instruction that uses them, whereas an address that LICM took out of
/// the loop over work-items, as those of all private variables, occupies a register through all of
/// the loop: the register allocator takes time that grows with the square of their number.
/// CodeGenPrepare does this, too, with much else; it does not run for baseline code (object.cpp).
class ConstantOffsetsPass : public llvm::PassInfoMixin<ConstantOffsetsPass> {
public:
  static constexpr Contract contract = {.cleared = {Property::OpenToOptimization}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
