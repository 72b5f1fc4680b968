#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Function.h>

#include "compiler/il/uniformity.h"

namespace quern::compiler {

/// Packets that one piece of code runs together: neighbours in dimension 0 and in dimension 1. They
/// are numbered along dimension 0 first.
struct PacketTile {
  unsigned columns = 1, rows = 1;

  unsigned packets() const { return columns * rows; }
  bool operator==(const PacketTile&) const = default;
};

/// Which packets of a tile have a value in common. Work-items are independent of each other
/// between barriers, so what does not depend on the id in a dimension is the same for all that
/// differ in nothing else.
class TileSharing {
public:
  /// The uniformity in dimension 0, without any alignment, and in dimension 1. Not used where the
  /// tile has one column, or one row.
  TileSharing(PacketTile tile, const Uniformity& inRow, const Uniformity& inColumn)
      : tile_(tile), inRow_(inRow), inColumn_(inColumn) {}

  const PacketTile& tile() const { return tile_; }

  /// In which dimensions packets have other values, or do each for itself what an instruction does:
  /// bit 0 and bit 1.
  unsigned varyingDimensions(const llvm::Value* value) const;
  static constexpr unsigned everyDimension = 3;

  /// The first of the packets that differ only in other dimensions than `varyingDimensions` from
  /// `packet`.
  unsigned owner(unsigned varyingDimensions, unsigned packet) const {
    return ((varyingDimensions & 1) ? packet % tile_.columns : 0) +
           ((varyingDimensions & 2) ? packet / tile_.columns * tile_.columns : 0);
  }
  /// Calls `function` with each packet that is such a first one; there are `ownerCount`.
  void forEachOwner(unsigned varyingDimensions, llvm::function_ref<void(unsigned)> function) const;
  unsigned ownerCount(unsigned varyingDimensions) const {
    return ((varyingDimensions & 1) ? tile_.columns : 1) *
           ((varyingDimensions & 2) ? tile_.rows : 1);
  }

private:
  unsigned ofValue(const llvm::Value* value) const;

  PacketTile tile_;
  const Uniformity& inRow_;
  const Uniformity& inColumn_;
};

} // namespace quern::compiler
