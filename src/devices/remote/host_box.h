#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "device/command.h"

/// Boxes of bytes in the memory of the program.
namespace quern::remote {

struct HostBox {
  std::byte* first = nullptr;
  uint64_t rowPitch = 0, slicePitch = 0;
  std::array<uint64_t, 3> region = {0, 1, 1};

  bool isRow() const { return region[1] == 1 && region[2] == 1; }
  bool isEmpty() const { return bytes() == 0; }
  uint64_t bytes() const { return region[0] * region[1] * region[2]; }
  /// From the first byte to behind the last one, gaps included.
  std::span<const std::byte> range() const {
    return {first, (region[2] - 1) * slicePitch + (region[1] - 1) * rowPitch + region[0]};
  }
};

/// Row after row without gaps.
HostBox packedBox(std::byte* first, const std::array<uint64_t, 3>& region);

/// The boxes have one region.
void copyBox(const HostBox& source, const HostBox& destination);
void fillBox(const HostBox& destination, std::span<const std::byte> pattern);

} // namespace quern::remote
