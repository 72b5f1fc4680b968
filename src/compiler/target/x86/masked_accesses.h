#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Makes plain accesses of masked ones that the processor has no instruction for, without a branch
/// for each element as LLVM 22's ScalarizeMaskedMemIntrin has them: these are mispredicted where
/// work-items differ, and thousands of blocks take the register allocator seconds.
///
/// A gather or a scatter becomes an access per element. An element that is off reads or writes
/// memory of the function's own instead of its address. A masked store of neighbours is a single
/// one where all its elements are on, and else does as a scatter. A masked load of neighbours reads
/// them all where they lie in one page of memory and one of them is on, for then all may be read;
/// else it is a loop over those that are on. A masked store of one known element is a plain one,
/// whatever the processor has: for AVX-512 LLVM stores all bits of a number that is truncated
/// there.
class MaskedAccessesPass : public llvm::PassInfoMixin<MaskedAccessesPass> {
public:
  static constexpr Contract contract = {.cleared = {Property::OpenToOptimization}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
