#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace quern::compiler {

/// Where packets keep the private variables of a region that stay in memory. Those that are only
/// accessed in elements of one size are interleaved: the same elements of all work-items of a
/// packet lie next to each other, so that an index which they have in common makes an access of
/// neighbouring elements. Any other is kept as a whole for one work-item after the other.
class PrivateArrays {
public:
  explicit PrivateArrays(llvm::Function& region);

  /// Bytes from a place of one work-item to the same place of the next one.
  uint64_t stride(const llvm::AllocaInst& variable) const;
  /// Whether `pointer` leads into an interleaved variable. Then offsets from it count once for each
  /// work-item of the packet.
  bool isInterleaved(const llvm::Value* pointer) const { return interleaved_.contains(pointer); }
  /// Bytes that all variables take for one work-item.
  uint64_t bytes() const { return bytes_; }

private:
  llvm::DenseMap<const llvm::AllocaInst*, uint64_t> strides_;
  llvm::DenseSet<const llvm::Value*> interleaved_;
  uint64_t bytes_ = 0;
};

} // namespace quern::compiler
