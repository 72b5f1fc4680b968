#pragma once

#include <functional>
#include <string>
#include <vector>

#include "device/command.h"
#include "device/replicas.h"
#include "devices/united/members.h"
#include "devices/united/united_memory.h"

namespace quern::united {

/// Bytes that a part of a command needs in its member's memory.
struct Use {
  UnitedAllocation* allocation = nullptr;
  device::Access access = device::Access::Read;
  ByteRange bytes;
};

/// What one member does of a piece of work.
struct PlannedPart {
  uint32_t member = 0;
  device::Work work;
  std::vector<Use> uses;
};

/// A piece of work as parts that may run at the same time.
struct Plan {
  std::vector<PlannedPart> parts;
  cl_int status = CL_COMPLETE; ///< the error that it ends with instead
  /// Told how long each part took, in nanoseconds, where all have ended well; or null.
  std::function<void(std::span<const double> nanoseconds)> ended = nullptr;
};

/// What others must wait for. The work is no graph.
std::vector<OrderedUse> usesOf(const Members& members, const device::Work& work);

/// Who does what of `work`, which is no graph, as far as memory is now.
Plan plan(Members& members, const device::Work& work);

// Of one kind of work each.
std::vector<OrderedUse> launchUses(const Members& members, const device::LaunchKernel& launch);
Plan planLaunch(Members& members, const device::LaunchKernel& launch);
std::vector<OrderedUse> transferUses(const device::Work& work);
Plan planTransfer(Members& members, const device::Work& work);

/// Names each allocation once.
void addUse(std::vector<OrderedUse>& uses, const device::Allocation* allocation, bool writes);

} // namespace quern::united
