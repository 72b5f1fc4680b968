#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "devices/cpu/topology.h"

namespace quern::cpu {

/// How a device is split: the units of each part, and what the parts share when they are made by
/// affinity.
struct Partition {
  std::vector<std::vector<uint32_t>> parts;
  std::optional<Domain> domain;
};

/// Splits `units`. Errors as device::Device::partition.
Result<Partition> splitUnits(const Topology& topology, std::span<const uint32_t> units,
                             const device::PartitionRequest& request);

} // namespace quern::cpu
