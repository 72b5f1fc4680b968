#pragma once

#include "compiler/packets/lane_predicate.h"
#include "compiler/packets/packet_part.h"

namespace quern::compiler {

/// Makes code that tells whether a condition holds for all work-items of a tile.
class PacketConditions : PacketPart {
public:
  explicit PacketConditions(PacketValues& values) : PacketPart(values) {}

  /// The current packet is the first one afterwards.
  llvm::Value* holdsForAll(llvm::Value* condition);

private:
  llvm::Value* holdsForAll(const LanePart& part);
  llvm::Value* holdsForNumbers(const LaneComparison& comparison);
};

} // namespace quern::compiler
