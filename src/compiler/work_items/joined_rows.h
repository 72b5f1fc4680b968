#pragma once

#include <array>
#include <cstdint>

#include <llvm/IR/Function.h>

namespace quern::compiler {

/// Work-groups in the dimensions in which they have several work-items, and in which order.
struct GroupExtents {
  std::array<uint64_t, 3> sizes = {1, 1, 1};
  std::array<unsigned, 3> places = {0, 1, 2}; ///< the program's dimensions
  unsigned count = 0;                         ///< of those with several work-items

  /// Of work-groups of the size `known`; zeros where it is not.
  explicit GroupExtents(const std::array<uint64_t, 3>& known);

  uint64_t rows() const { return sizes[1] * sizes[2]; }
  uint64_t items() const { return sizes[0] * rows(); }
  /// Whether the group is a whole number of such `rows` as lie one after the other.
  bool canJoin(uint64_t rows) const;
};

/// Lets a work-item body, whose groups all have the size that is required, count its work-items in
/// another shape (il/group_shape.h): without the dimensions that have one work-item, and with
/// `rows` of the remaining rows in one, where `extents` can join them. The program's local ids are
/// computed from that. Work-items keep their order.
void joinRows(llvm::Function& item, const GroupExtents& extents, uint64_t rows);

} // namespace quern::compiler
