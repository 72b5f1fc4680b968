#pragma once

#include "compiler/packets/shapes.h"

namespace quern::compiler {

/// The program's rows of work-items of which a packet holds several (il/group_shape.h), each as a
/// packet of its own: what depends on the number of the row in an unknown way, such as its address
/// in a matrix, may still be the same, or lie next to each other, for all work-items of one row.
class ShortRows {
public:
  /// `shapes` are those of the packet that holds the rows.
  ShortRows(llvm::Function& region, unsigned items, const Shapes& shapes,
            llvm::FunctionAnalysisManager& analyses);

  unsigned items() const { return items_; }

  /// Where the work-items of a row find their elements.
  enum class Access {
    Scattered,
    Same,       ///< at one place
    Neighbours, ///< next to each other
  };
  /// For elements of `bytes`. Not Scattered only if the address of any work-item can be computed
  /// from numbers that the packet has in common or that differ by constants: then nothing that a
  /// work-item has which does not run the access counts.
  Access accessOf(const llvm::Value* pointer, int64_t bytes) const;

private:
  unsigned items_;
  const Shapes& ofPacket_;
  const Shapes& shapes_; ///< of rows
};

} // namespace quern::compiler
