#pragma once

#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace quern::compiler {

/// Gives a barrier a block of its own, with one successor that has no other predecessor.
void isolateBarrier(llvm::CallInst& barrier);

/// The code that a work-item may run from one barrier or collective function (from here on:
/// barrier) or the kernel's start up to the next barriers (or the kernel's end), never across one.
/// Between two barriers the work-items of a group are independent of each other, so a region is
/// what is run in a loop over them, and what can be run for several at once.
struct Region {
  /// 0 for the region at the kernel's start; every barrier begins one region. Those at barriers of
  /// sub-groups come before those at barriers of the work-group: where work-items wait at both, the
  /// former can go on and the latter wait for them. Within each kind in the order of the program, a
  /// loop before what follows it: who is behind goes first.
  unsigned number = 0;
  /// Null for region 0.
  llvm::CallInst* entryBarrier = nullptr;
  /// The first block; it has no predecessor in the region.
  llvm::BasicBlock* entry = nullptr;
  /// All blocks, predecessors before successors except along back edges, without the barriers' own
  /// blocks. A block that can be reached from several barriers belongs to several regions.
  std::vector<llvm::BasicBlock*> blocks;
  /// Numbers of the regions whose barrier can be reached, ascending.
  std::vector<unsigned> exits;
  /// The kernel can end in this region.
  bool returns = false;
  /// Values made in other regions and needed in this one or in one that follows it.
  llvm::SetVector<llvm::Instruction*> liveIn;
};

/// The regions of a work-item body whose barriers are isolated (regions/isolate_barriers.h). The
/// function does not change while the graph is in use.
class RegionGraph {
public:
  /// Finds the regions, without what lives into them.
  explicit RegionGraph(llvm::Function& function);
  /// Fills in Region::liveIn.
  void findLiveValues();

  const std::vector<Region>& regions() const { return regions_; }
  /// The region that begins at the barrier in `block`, which must be a barrier's block.
  unsigned regionOf(const llvm::BasicBlock* block) const { return numbers_.lookup(block); }
  bool isBarrierBlock(const llvm::BasicBlock* block) const { return numbers_.contains(block); }
  /// Whether sub-groups meet anywhere.
  bool hasSubGroupBarriers() const { return hasSubGroupBarriers_; }

private:
  void addRegions(const std::vector<llvm::BasicBlock*>& order, bool ofSubGroups);
  void fill(Region& region);

  llvm::Function& function_;
  std::vector<Region> regions_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> numbers_;
  bool hasSubGroupBarriers_ = false;
};

/// Blocks that can be reached from `start` without passing a barrier, with itself.
llvm::SmallPtrSet<llvm::BasicBlock*, 32> reachableBlocks(llvm::BasicBlock& start,
                                                         const RegionGraph& graph);

} // namespace quern::compiler
