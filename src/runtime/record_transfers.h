#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/memory.h"
#include "runtime/recorded_command.h"

/// Records the commands that move bytes, for queues of `device`. Everything is within bounds, and
/// what a command reads and writes does not overlap.
namespace quern::runtime {

/// Bytes of a memory object from `offset` on or, without one, of the program from `host` on.
struct Bytewise {
  MemoryObject* memory = nullptr;
  uint64_t offset = 0;
  std::byte* host = nullptr;
};

/// Copies `bytes` (clEnqueueReadBuffer, clEnqueueWriteBuffer, clEnqueueCopyBuffer).
Recorded recordCopy(const Device& device, cl_command_type type, const Bytewise& source,
                    const Bytewise& destination, uint64_t bytes);

/// Repeats `pattern`, whose size is one that device::Fill allows, over `bytes`.
Recorded recordFill(const Device& device, const Bytewise& destination,
                    std::span<const std::byte> pattern, uint64_t bytes);

/// One side of a box of bytes: its first byte and its pitches, in bytes.
struct BoxSide {
  Bytewise first;
  uint64_t rowPitch = 0, slicePitch = 0;
};
/// Bytes of a row, rows, slices; none is 0.
using BoxSize = std::array<uint64_t, 3>;

/// Copies a box: commands on rectangles of buffers and on images.
Recorded recordBoxCopy(const Device& device, cl_command_type type, const BoxSide& source,
                       const BoxSide& destination, const BoxSize& size);

/// Repeats `pattern`, whose size is one that device::FillRect allows, over a box.
Recorded recordBoxFill(const Device& device, const BoxSide& destination,
                       std::span<const std::byte> pattern, const BoxSize& size);

/// Shows the host what `mapping` maps of `memory`; without `keepsContents` it only lets it write.
Recorded recordMap(const Device& device, MemoryObject& memory, const MemoryObject::Mapping& mapping,
                   bool keepsContents);
/// Shows `device` what the host has written there.
Recorded recordUnmap(const Device& device, MemoryObject& memory,
                     const MemoryObject::Mapping& mapping);

} // namespace quern::runtime
