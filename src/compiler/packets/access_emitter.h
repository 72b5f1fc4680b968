#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/packets/interleave_groups.h"

namespace quern::compiler {

/// Makes the accesses of a group for one packet. Values are vectors of `width` work-items, in the
/// order of the offsets of the group's elements; null where an element has no member.
class AccessEmitter {
public:
  using Vectors = llvm::SmallVector<llvm::Value*, 16>;

  AccessEmitter(llvm::IRBuilder<>& builder, const InterleaveGroup& group, unsigned width);

  /// For groups with a stride. `base` is the address of the first work-item's lowest member; `mask`
  /// is null for all.
  Vectors loadStrided(llvm::Value* base, llvm::Value* mask);
  void storeStrided(llvm::Value* base, const Vectors& values, llvm::Value* mask);

  /// For groups without. `addresses` are those of the lowest member; of a work-item that is off,
  /// one that may be accessed too.
  Vectors loadRows(llvm::ArrayRef<llvm::Value*> addresses);
  void storeRows(llvm::ArrayRef<llvm::Value*> addresses, const Vectors& values);

private:
  llvm::Value* shuffle(llvm::Value* a, llvm::Value* b, llvm::function_ref<int(unsigned)> index);
  Vectors deinterleave(llvm::ArrayRef<llvm::Value*> stream, llvm::ArrayRef<bool> wanted);
  Vectors interleave(llvm::ArrayRef<llvm::Value*> values);
  llvm::Value* gathered(llvm::ArrayRef<llvm::Value*> sources,
                        llvm::function_ref<unsigned(unsigned)> place);
  llvm::Value* joined(llvm::ArrayRef<llvm::Value*> parts);
  llvm::Value* spread(llvm::Value* mask, unsigned number, llvm::ArrayRef<bool> used);
  llvm::Value* address(llvm::Value* base, uint64_t elements);
  llvm::Align alignment(uint64_t elements) const;
  llvm::SmallVector<bool, 16> members(unsigned count) const;

  llvm::IRBuilder<>& builder_;
  const InterleaveGroup& group_;
  unsigned width_;
  uint64_t size_; ///< bytes of an element
  llvm::VectorType* type_;
};

} // namespace quern::compiler
