#pragma once

#include <cstring>
#include <span>

#include "device/caps.h"

namespace quern::device {

/// What cl_intel_required_subgroup_size says of a device: `sizes` are ascending.
inline QueryExtension subGroupSizes(std::span<const uint32_t> sizes) {
  Bytes value(sizes.size() * sizeof(size_t));
  for (size_t i = 0; i < sizes.size(); ++i) {
    const size_t size = sizes[i];
    std::memcpy(value.data() + i * sizeof(size), &size, sizeof(size));
  }
  return {"cl_intel_required_subgroup_size", {{CL_DEVICE_SUB_GROUP_SIZES_INTEL, std::move(value)}}};
}

} // namespace quern::device
