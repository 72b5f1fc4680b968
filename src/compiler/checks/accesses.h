#pragma once

#include <cstdint>
#include <vector>

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ValueHandle.h>

namespace quern::compiler {

/// What an instruction does to memory. One that copies does two things. Its values are still those
/// that it uses when they have been replaced.
struct CheckedAccess {
  llvm::Instruction* instruction = nullptr;
  llvm::WeakTrackingVH pointer = nullptr;
  uint64_t bytes = 0;                    ///< at least 1; of one with a `length` not used
  llvm::WeakTrackingVH length = nullptr; ///< i64, where only the kernel knows how many bytes
  uint64_t alignment = 1;                ///< that it relies on
  bool isWrite = false;                  ///< reads only otherwise
  bool isAtomic = false;
  bool isOfProgram = false; ///< names::checkedMetadata
};

/// All accesses of `body`, in order.
std::vector<CheckedAccess> checkedAccesses(llvm::Function& body);

/// Moves the variables of `body` that its first block makes to its start, so that the block can be
/// cut behind them.
void gatherVariables(llvm::Function& body);

} // namespace quern::compiler
