#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

namespace quern::compiler {

/// Replaces the calls of work-item functions in a kernel by reads of special registers and of its
/// launch parameter, and those of barriers and collective functions by instructions. `capability`
/// as computeCapability gives it.
void lowerNvptxWorkItemFunctions(llvm::Function& kernel, unsigned capability);

/// What special registers and the launch parameter of a kernel say, as values of 64 bits. The
/// work-groups of a block's kernel are flat: rows of threads in the order of their linear ids.
/// Kernels ask for any range, and the hardware's third dimension has few threads.
class NvptxWorkItem {
public:
  NvptxWorkItem(llvm::Function& kernel, llvm::IRBuilder<>& builder);

  llvm::Value* localId(unsigned dimension);
  llvm::Value* localSize(unsigned dimension);
  /// As enqueued, where `localSize` is smaller at the edge of an NDRange.
  llvm::Value* enqueuedSize(unsigned dimension);
  llvm::Value* groupId(unsigned dimension);
  llvm::Value* globalId(unsigned dimension);
  /// A field of abi::NvptxLaunch.
  llvm::Value* launchField(uint64_t offset);
  llvm::Value* localLinearId();
  /// Work-items of the work-group.
  llvm::Value* groupItems();
  /// Work-items of the sub-group that the work-item is in.
  llvm::Value* subGroupItems();
  /// Of 32 bits: the work-item's number in its sub-group.
  llvm::Value* lane();

private:
  /// Of a flat work-group, how many work-items have a smaller id in the dimensions before.
  llvm::Value* stride(unsigned dimension);
  /// Of the work-group among those of its launch.
  llvm::Value* gridPosition(unsigned dimension);
  llvm::Value* special(llvm::Intrinsic::ID first, unsigned dimension, uint64_t low, uint64_t high);

  llvm::Function& kernel_;
  llvm::IRBuilder<>& builder_;
  const std::array<uint64_t, 3> required_;
  const bool isUniform_;
  const bool isFlat_;
};

} // namespace quern::compiler
