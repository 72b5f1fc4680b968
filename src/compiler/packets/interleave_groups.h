#pragma once

#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "compiler/packets/shapes.h"

namespace quern::compiler {

/// Loads or stores of one block that a packet makes together, because each work-item's lie next to
/// each other: the elements of a vector, the members of a structure.
struct InterleaveGroup {
  struct Member {
    llvm::Instruction* access;
    unsigned offset; ///< from the lowest member, in elements
  };
  std::vector<Member> members; ///< in the order of the block
  llvm::Type* element = nullptr;
  /// Elements from one work-item's first to the next one's, if they are few; then a packet's
  /// accesses are neighbouring vectors. Otherwise 0: each work-item has a place of its own.
  unsigned stride = 0;
  unsigned span = 0; ///< elements from the lowest member to the highest, both included
  /// Of the lowest member's address.
  llvm::Align alignment;

  bool isStore() const { return llvm::isa<llvm::StoreInst>(members.front().access); }
  /// Where the packet makes the accesses: at the first load or the last store.
  const Member& place() const { return isStore() ? members.back() : members.front(); }
};

/// The groups of a region's accesses.
class InterleaveGroups {
public:
  InterleaveGroups(llvm::Function& region, const Shapes& shapes, llvm::ScalarEvolution& evolution);

  /// Null for an access that is in no group.
  const InterleaveGroup* groupOf(const llvm::Instruction* access) const {
    const auto found = numbers_.find(access);
    return found == numbers_.end() ? nullptr : &groups_[found->second];
  }

private:
  std::vector<InterleaveGroup> groups_;
  llvm::DenseMap<const llvm::Instruction*, unsigned> numbers_;
};

} // namespace quern::compiler
