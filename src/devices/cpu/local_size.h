#pragma once

#include <array>
#include <cstdint>

#include "device/command.h"

namespace quern::cpu {

struct LocalSizeRequest {
  device::NdRange range;                    ///< `local` is ignored
  std::array<uint64_t, 3> hint = {0, 0, 0}; ///< work_group_size_hint, or zeros
  uint64_t maxItems = 1;
  uint32_t packetWidth = 1;
  uint32_t computeUnits = 1;
  bool mayBeNonUniform = false;
};

/// A local size for `request.range`: it divides the global size, in the first dimension it is a
/// multiple of the packet width where that is possible, it is large enough that starting a
/// work-group costs little and small enough that every compute unit has several work-groups. Where
/// a dimension has no usable divisor (a prime) and it is allowed, the last work-group is smaller.
std::array<uint64_t, 3> chooseLocalSize(const LocalSizeRequest& request);

} // namespace quern::cpu
