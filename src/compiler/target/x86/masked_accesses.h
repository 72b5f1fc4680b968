#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Makes plain accesses of masked ones that the processor has no instruction for, without a branch
/// for each element as LLVM 22's ScalarizeMaskedMemIntrin has them: these are mispredicted where
/// work-items differ, and thousands of blocks take the register allocator seconds.
///
/// A gather or a scatter becomes an access per element. An element that is off reads or writes
/// memory of the function's own instead of its address. A masked load or store of neighbours is a
/// single access where all its elements are on, and else does as a gather or a scatter. A masked
/// store of one known element is a plain one, whatever the processor has: for AVX-512 LLVM stores
/// all bits of a number that is truncated there.
class MaskedAccessesPass : public llvm::PassInfoMixin<MaskedAccessesPass> {
public:
  static constexpr Contract contract = {.cleared = {Property::OpenToOptimization}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
