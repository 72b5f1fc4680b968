#pragma once

#include <vector>

#include <llvm/ADT/DenseMap.h>

#include "compiler/il/uniformity.h"
#include "compiler/regions/region_graph.h"

namespace quern::compiler {

/// How a value that is needed after a barrier gets there.
enum class Transport : uint8_t {
  Recompute, ///< computed again from ids, arguments and uniform values; so is all that it is made
             ///< from and has no slot
  Uniform,   ///< kept once for the work-group, while the group runs
  Context,   ///< kept in the context, one slot for each work-item
};

/// Decides for every value that lives across a barrier.
class LiveValues {
public:
  LiveValues(const RegionGraph& graph, const Uniformity& uniformity);

  /// A value that is only a step on the way to a recomputed one is recomputed with it.
  Transport transport(const llvm::Instruction* value) const {
    const auto found = transports_.find(value);
    return found == transports_.end() ? Transport::Recompute : found->second;
  }
  unsigned regionCount() const { return static_cast<unsigned>(carried_.size()); }
  /// What region `number` must be given: its live-in values that are not recomputed, and the
  /// uniform values that the recomputed ones are made from.
  const llvm::SetVector<llvm::Instruction*>& carriedInto(unsigned number) const {
    return carried_[number];
  }
  /// Its live-in values that are recomputed at its start.
  const llvm::SetVector<llvm::Instruction*>& recomputedIn(unsigned number) const {
    return recomputed_[number];
  }
  /// All values with a slot: carried into any region, each once.
  const llvm::SetVector<llvm::Instruction*>& allCarried() const { return allCarried_; }

private:
  bool isCheap(llvm::Instruction* value, const Uniformity& uniformity, unsigned& budget) const;
  void carryLeaves(llvm::Instruction* value, const Uniformity& uniformity,
                   llvm::SetVector<llvm::Instruction*>& carried);

  llvm::DenseMap<const llvm::Instruction*, Transport> transports_;
  std::vector<llvm::SetVector<llvm::Instruction*>> carried_, recomputed_;
  llvm::SetVector<llvm::Instruction*> allCarried_;
};

} // namespace quern::compiler
