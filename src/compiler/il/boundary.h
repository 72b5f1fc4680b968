#pragma once

#include <cstdint>
#include <optional>

#include <llvm/IR/Instructions.h>

namespace quern::compiler {

/// Calls in work-item bodies that no work-item passes before all work-items of its work-group or
/// sub-group have reached them.
enum class Boundary : uint8_t {
  GroupBarrier,
  SubGroupBarrier,
  GroupCollective,
  SubGroupCollective
};

/// What kind of boundary `instruction` is, if any.
std::optional<Boundary> boundaryOf(const llvm::Instruction& instruction);

/// Whether a collective function's result is the same for the whole work-group.
bool hasUniformResult(const llvm::CallInst& collective);

/// Whether `instruction` is what is left of a barrier in a packet (names::packetBarrier), which is
/// no boundary.
bool isPacketBarrier(const llvm::Instruction& instruction);

constexpr bool isOfSubGroup(Boundary boundary) {
  return boundary == Boundary::SubGroupBarrier || boundary == Boundary::SubGroupCollective;
}
constexpr bool isCollective(Boundary boundary) {
  return boundary == Boundary::GroupCollective || boundary == Boundary::SubGroupCollective;
}

} // namespace quern::compiler
