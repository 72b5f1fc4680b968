#pragma once

#include <vector>

#include <llvm/ADT/DenseMap.h>

#include "compiler/packets/accesses/access_lowering.h"

namespace quern::compiler {

/// How the packets of a region make each of its accesses. Decided here alone: the code, the choice
/// between packets and other ways to run the region, the choice of a tile and the report all go by
/// it.
class AccessPlan {
public:
  explicit AccessPlan(const PacketPlan& plan);

  /// Null for what is no load or store. Members of a group have theirs in common.
  const AccessLowering* of(const llvm::Instruction* access) const {
    return lowerings_.lookup(access);
  }

  /// What an access costs a packet; of a group all where it is made, and nothing elsewhere.
  double cost(const llvm::Instruction& access, const TargetModel& target, bool isMasked) const {
    const AccessLowering& lowering = *of(&access);
    return &lowering.place() == &access ? lowering.cost(target, isMasked && lowering.isMasked()) +
                                              lowering.costOfConflicts(target)
                                        : 0;
  }

private:
  std::vector<std::unique_ptr<AccessLowering>> made_;
  llvm::DenseMap<const llvm::Instruction*, const AccessLowering*> lowerings_;
};

} // namespace quern::compiler
