#pragma once

#include <llvm/IR/Instructions.h>

namespace quern::compiler {

/// Whether `instruction` calls a collective function of a work-group that is one packet
/// (names::packetCollectivePrefix).
bool isPacketCollective(const llvm::Instruction& instruction);

/// Whether `instruction` calls a function that the work-items of a packet carry out together, as
/// operations on vectors: one for which isPacketCollective holds, or, in a form in which sub-groups
/// are packets, one of a sub-group (il/sub_group_form.h).
bool isPacketOperation(const llvm::Instruction& instruction);

/// Whether all work-items that carry out such an operation together get the same of it.
bool hasOneResult(const llvm::Instruction& packetOperation);

/// Whether `instruction` calls a function that reserves slots of a pipe (names::reservationPrefix).
bool isReservation(const llvm::Instruction& instruction);

/// Whether `instruction` is a volatile or atomic access.
bool isVolatileOrAtomic(const llvm::Instruction& instruction);

/// Whether a packet does what `instruction` does for one work-item after the other: atomic and
/// volatile accesses, and calls of functions that use memory, or that the built-in library has for
/// rare arguments.
bool runsForEachItem(const llvm::Instruction& instruction);

} // namespace quern::compiler
