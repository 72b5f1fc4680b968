#pragma once

#include "compiler/packets/accesses/access_lowering.h"

namespace quern::compiler {

/// Accesses that are volatile, or atomic: for one work-item after the other.
std::unique_ptr<AccessLowering> eachItemAccess(const PacketAccess& access);
/// Accesses of a group.
std::unique_ptr<AccessLowering> interleavedAccess(const PacketAccess& access);
/// What all work-items of the group load afterwards, stored by one of them.
std::unique_ptr<AccessLowering> groupResultStore(const PacketAccess& access);
/// One element for all work-items.
std::unique_ptr<AccessLowering> uniformAccess(const PacketAccess& access);
/// Local memory in pieces as large as a vector.
std::unique_ptr<AccessLowering> chunkAccess(const PacketAccess& access);
/// Neighbouring elements, upwards or downwards.
std::unique_ptr<AccessLowering> contiguousAccess(const PacketAccess& access);
/// Elements of a constant array that registers hold.
std::unique_ptr<AccessLowering> tableLookup(const PacketAccess& access);
/// Elements that lie close together in an order that is known.
std::unique_ptr<AccessLowering> patternAccess(const PacketAccess& access);
/// One element for each of several short rows, or neighbouring ones.
std::unique_ptr<AccessLowering> shortRowAccess(const PacketAccess& access);
/// Neighbouring elements, or one for all, unless a number wraps or a row ends.
std::unique_ptr<AccessLowering> speculativeAccess(const PacketAccess& access);
/// Any elements.
std::unique_ptr<AccessLowering> scatteredAccess(const PacketAccess& access);

} // namespace quern::compiler
