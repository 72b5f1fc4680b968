#pragma once

#include <vector>

#include <llvm/IR/Function.h>

#include "compiler/il/kernel_function.h"

namespace quern::compiler {

/// Parameters that a region takes after those of its work-item body. A region runs for one
/// work-item and returns the number of the region that follows, or 0 at the kernel's end. All
/// work-items of a group return the same, unless each one's next region is kept in the context
/// (names::nextRegionOffsetAttribute); then what a region returns says nothing.
enum class RegionParameter : unsigned {
  Context,     ///< ptr: GroupScratch::context
  Items,       ///< i64: work-items of this group
  ItemIndex,   ///< i64: local linear id
  UniformsIn,  ///< ptr: uniform values as they were when the region began; constant while it runs
  UniformsOut, ///< ptr: where the region leaves those that it makes
  Count,
};

/// A function of the type of `item`'s regions, without a body, placed before `item`.
llvm::Function* createRegionFunction(llvm::Function& item, unsigned number);

llvm::Argument* regionParameter(llvm::Function& region, RegionParameter which);

/// Whether `pointer` leads into the memory that this parameter points to.
bool leadsInto(llvm::Function& region, const llvm::Value* pointer, RegionParameter which);

/// Whether a region does anything for its work-item. One that only decides what follows, and stores
/// what all work-items of the group have in common, is run once for all of them.
bool actsForItem(const llvm::Function& region);

/// Whether some work-items of the region run in packets.
bool hasPackets(const llvm::Function& region);

/// The numbers of the regions that may follow (exitsAttribute).
std::vector<unsigned> regionExits(const llvm::Function& region);
void setRegionExits(llvm::Function& region, const std::vector<unsigned>& exits);

} // namespace quern::compiler
