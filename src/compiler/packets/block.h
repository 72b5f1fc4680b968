#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Function.h>

#include "compiler/packets/packet_uniformity.h"

namespace quern::compiler {

/// Packets that one piece of code runs together: neighbours in dimension 0 and in dimension 1. They
/// are numbered along dimension 0 first.
struct Block {
  unsigned columns = 1, rows = 1;

  unsigned packets() const { return columns * rows; }
  bool operator==(const Block&) const = default;
};

/// Which packets of a block have a value in common. Work-items are independent of each other
/// between barriers, so what does not depend on the id in a dimension is the same for all that
/// differ in nothing else.
class BlockSharing {
public:
  /// The uniformity in dimension 0, without any alignment, and in dimension 1. Not used where the
  /// block has one column, or one row.
  BlockSharing(Block block, const PacketUniformity& inRow, const PacketUniformity& inColumn)
      : block_(block), inRow_(inRow), inColumn_(inColumn) {}

  const Block& block() const { return block_; }

  /// In which dimensions packets have values, or do what an instruction does, apart: bit 0 and
  /// bit 1.
  unsigned directions(const llvm::Value* value) const;
  static constexpr unsigned everyDirection = 3;

  /// The first of the packets that are not apart in `directions` from `packet`.
  unsigned owner(unsigned directions, unsigned packet) const {
    return ((directions & 1) ? packet % block_.columns : 0) +
           ((directions & 2) ? packet / block_.columns * block_.columns : 0);
  }
  /// Calls `function` with each packet that is such a first one; there are `ownerCount`.
  void forEachOwner(unsigned directions, llvm::function_ref<void(unsigned)> function) const;
  unsigned ownerCount(unsigned directions) const {
    return ((directions & 1) ? block_.columns : 1) * ((directions & 2) ? block_.rows : 1);
  }

private:
  unsigned ofValue(const llvm::Value* value) const;

  Block block_;
  const PacketUniformity& inRow_;
  const PacketUniformity& inColumn_;
};

} // namespace quern::compiler
