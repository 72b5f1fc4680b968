#pragma once

#include <cstdint>
#include <vector>

#include "base/ref.h"
#include "runtime/recorded_command.h"

namespace quern::runtime {

class CommandQueue;

/// A part of a command that no device can run by itself: commands of several devices, or of kernels
/// that enqueue others.
struct CommandPart {
  Recorded command;
  Ref<CommandQueue> queue;     ///< out-of-order, of the runtime's own
  std::vector<uint32_t> after; ///< earlier parts, which it waits for
};

/// Runs all parts once; the work ends with the last of them.
HostWork runParts(std::vector<CommandPart> parts);

} // namespace quern::runtime
