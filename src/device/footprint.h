#pragma once

#include <cstdint>
#include <vector>

#include "abi/program_image.h"
#include "device/command.h"

namespace quern::device {

/// Bytes that work-groups of a launch read or write of what an argument points to: from `begin` up
/// to `end`, counted from where it points to, or what there is of them. All that may be concerned
/// is among them.
struct ArgumentBytes {
  uint32_t argument = 0;
  bool reads = false, writes = false;
  int64_t begin = 0, end = 0;

  /// Nothing is known, or it is an image.
  bool isAny() const { return begin == INT64_MIN && end == INT64_MAX; }
};

/// What the work-groups `groups` of `launch`, of the kernel `description`, do with memory, as far
/// as the kernel's footprint says: one element for each access, those that are not made left out.
std::vector<ArgumentBytes> bytesOf(const abi::KernelDescription& description,
                                   const LaunchKernel& launch, const GroupRange& groups);

} // namespace quern::device
