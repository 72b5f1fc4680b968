#pragma once

#include <optional>

#include <llvm/Support/KnownBits.h>

#include "compiler/packets/packet_emitter.h"

namespace quern::compiler {

/// What is known of the bits that `value` has in the first work-item of each of a tile's packets,
/// if it is made of parameters and constants alone.
std::optional<llvm::KnownBits> bitsOfFirst(const llvm::Value& value, const PacketPlan& plan);

} // namespace quern::compiler
