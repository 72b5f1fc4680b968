#pragma once

#include <optional>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/packets/accesses/access_lowering.h"
#include "compiler/packets/shapes.h"

namespace quern::compiler {

/// Elements of a packet's work-items whose addresses differ by constants, few elements from the
/// lowest to the highest: these are read or written as one or two vectors.
struct AccessPattern {
  int64_t lowest = 0; ///< bytes from the first work-item's element to the lowest
  unsigned span = 0;  ///< elements from the lowest to the highest, both included
  llvm::SmallVector<unsigned, 16> places; ///< of each work-item, in elements from the lowest
  unsigned items = 0; ///< work-items that may lie in the work-group; the places of others are 0

  /// For each of `count` elements from `begin` on, the last work-item that has it; for a higher
  /// `rank`, the last but so many. -1 where there is none.
  llvm::SmallVector<int, 32> owners(unsigned begin, unsigned count, unsigned rank) const;
  /// How many work-items have the element that most have.
  unsigned mostOwners() const;
  /// The bits of `mask` that belong to the work-items `owners`, and no others.
  llvm::Value* ofOwners(llvm::IRBuilderBase& builder, llvm::Value* mask,
                        llvm::ArrayRef<int> owners) const;
};

/// Nothing for other shapes of addresses, and for elements that lie further apart than two packets'
/// elements reach.
std::optional<AccessPattern> accessPatternOf(const Shape& address, int64_t elementBytes,
                                             unsigned width, unsigned items);

std::optional<AccessPattern> accessPatternOf(const PacketAccess& access);

/// Whether an access to such elements is made so: those of other shapes have simpler ways.
inline bool isInPattern(const Shape& address, int64_t elementBytes, const Shapes& shapes) {
  return address.isPattern() &&
         accessPatternOf(address, elementBytes, shapes.width(), shapes.items()).has_value();
}

} // namespace quern::compiler
