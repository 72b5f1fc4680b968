#pragma once

#include "compiler/packets/packet_part.h"
#include "compiler/packets/packet_steps.h"

namespace quern::compiler {

/// Makes code that tells whether a condition holds for all work-items of a tile.
class PacketConditions : PacketPart {
public:
  PacketConditions(PacketValues& values, PacketSteps& steps) : PacketPart(values), steps_(steps) {}

  /// The current packet is the first one afterwards.
  llvm::Value* holdsForAll(llvm::Value* condition) {
    llvm::Value* all = holdsForAll(condition, true, 0);
    setPacket(0);
    return all;
  }

private:
  llvm::Value* holdsForAll(llvm::Value* condition, bool wanted, unsigned depth);
  llvm::Value* holdsForNumbers(llvm::Value* number, llvm::CmpInst::Predicate predicate,
                               llvm::Value* limit);

  PacketSteps& steps_;
};

} // namespace quern::compiler
