#pragma once

#include <cstddef>
#include <cstdint>

/// What kernels read and write of a pipe: a queue of fixed capacity for many producers and
/// consumers. Compiled code uses the offsets that this structure has here
/// (builtins/include/pipe.h), so any change raises the versions of the kernels' ABIs.
namespace quern::abi {

/// The head of a pipe's memory. Behind it come the states of its slots, 32 bits each, and then, at
/// the next multiple of `pipeAlignment`, the packets.
///
/// A position has the number of a slot in its lower 32 bits and in its upper ones the lap, how
/// often all slots were passed before. In lap n, a slot's state is 2n while it waits for a packet,
/// 2n + 1 while it holds one, and 2n + 2 when that has been read: it waits for the next lap's. Who
/// moves a position on owns the slots between, until they change these slots' states. A new pipe
/// is all zeros behind the first three fields.
struct Pipe {
  uint32_t packetBytes;
  uint32_t capacity;      ///< in packets
  uint64_t packetsOffset; ///< from the first byte of this structure
  /// One for producers and one for consumers, who would slow each other down in one line of the
  /// caches.
  struct alignas(128) End {
    uint64_t position;
    /// On CPUs: in the upper 32 bits which thread has moved the position on last, in the lower ones
    /// how often in a row. A hint.
    uint64_t lastMove;
  };
  End reading, writing;
  alignas(128) uint32_t firstState;
};

/// The sum of two numbers of slots has 32 bits.
inline constexpr uint32_t maxPipeSlots = uint32_t{1} << 31;

/// Suits packets of every type.
inline constexpr uint64_t pipeAlignment = 128;

/// Where the packets begin.
constexpr uint64_t pipePacketsOffset(uint32_t capacity) {
  const uint64_t statesEnd = offsetof(Pipe, firstState) + uint64_t{capacity} * sizeof(uint32_t);
  return (statesEnd + pipeAlignment - 1) / pipeAlignment * pipeAlignment;
}

} // namespace quern::abi
