#pragma once

#include <cstdint>

#include <llvm/IR/Function.h>

namespace quern::compiler {

/// Ids in dimension 0 of a region, local or global ones, of which it is known where packets begin.
class AlignedIds {
public:
  /// `alignment` is a number that every packet's width divides; packets begin at multiples of their
  /// width in their row. 1: nothing is known of packets.
  AlignedIds(llvm::Function& region, uint64_t alignment);

  /// A number of which `value`, in any type that holds such ids, is a multiple in the first
  /// work-item of an aligned packet, and which the packet's other work-items do not reach from
  /// there; 0 where `value` is neither an id nor a shifted one, or there is no such number.
  uint64_t unit(const llvm::Value* value) const;

  /// Whether `value` is the number of a packet in its row, or of several neighbours, or the first
  /// id of one: the same for the whole packet, because it is aligned.
  bool isPacketNumber(const llvm::Value* value) const;

private:
  static uint64_t shifted(uint64_t unit, bool isLeft, uint64_t count);
  uint64_t unitOfSum(uint64_t multiple) const;
  uint64_t multipleOfGroup(const llvm::Value* product) const;

  uint64_t alignment_;
  uint64_t row_;             ///< work-items of a row of every whole work-group; 0: not known
  uint64_t multipleOfFirst_; ///< of the first global id of a row
  const llvm::Value *item_, *first_, *group_;
};

} // namespace quern::compiler
