#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/byte_ranges.h"
#include "device/command.h"
#include "devices/united/members.h"
#include "devices/united/plan.h"

namespace quern::united {

/// What work-groups of a launch read and write of one allocation.
struct MemoryUse {
  ByteRanges reads, writes;
  bool isWhole = false; ///< because nothing more is known of an access
};
using MemoryUses = std::map<UnitedAllocation*, MemoryUse>;

/// The memory that arguments of a launch point to.
struct ArgumentMemory {
  uint32_t argument = 0;
  UnitedAllocation* allocation = nullptr;
  uint64_t offset = 0; ///< of where it points to
};
std::vector<ArgumentMemory> memoryOf(const Members& members, const device::LaunchKernel& launch);

/// Whether any work-group may write what the argument points to.
bool mayWrite(const device::LaunchKernel& launch, uint32_t argument);

/// What `groups` of `launch` do with memory: all that they might, where the kernel's footprint does
/// not say everything.
MemoryUses usesOfGroups(const device::LaunchKernel& launch,
                        const std::vector<ArgumentMemory>& memory,
                        const device::GroupRange& groups);

/// A launch cut into parts that do not see what each other writes.
struct Split {
  size_t dimension = 0;
  std::vector<device::GroupRange> groups; ///< of each member
  std::vector<MemoryUses> uses;           ///< likewise
  /// Why there are no parts.
  std::string whyNot;
};
Split splitLaunch(const device::LaunchKernel& launch, const std::vector<ArgumentMemory>& memory,
                  const Shares& shares);

} // namespace quern::united
