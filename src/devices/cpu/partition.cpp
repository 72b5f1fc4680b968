#include "devices/cpu/partition.h"

#include <map>
#include <numeric>
#include <string>

namespace quern::cpu {

namespace {

Status cannotSplit(const std::string& how, size_t units) {
  return Status::error(CL_DEVICE_PARTITION_FAILED, "a device of " + std::to_string(units) +
                                                       " compute units cannot be split " + how);
}

Result<Partition> splitEqually(std::span<const uint32_t> units, uint32_t unitsEach) {
  // One part with all units would not be a partition.
  if (unitsEach == 0 || unitsEach >= units.size())
    return cannotSplit("into parts of " + std::to_string(unitsEach), units.size());
  Partition partition;
  for (size_t first = 0; first + unitsEach <= units.size(); first += unitsEach)
    partition.parts.emplace_back(units.begin() + first, units.begin() + first + unitsEach);
  return partition;
}

Result<Partition> splitByCounts(std::span<const uint32_t> units, std::span<const uint32_t> counts) {
  const uint64_t wanted = std::accumulate(counts.begin(), counts.end(), uint64_t(0));
  if (counts.size() > units.size() || wanted > units.size())
    return Status::error(CL_INVALID_DEVICE_PARTITION_COUNT,
                         std::to_string(counts.size()) + " sub-devices with " +
                             std::to_string(wanted) +
                             " compute units in all are too many: the device has " +
                             std::to_string(units.size()) + " compute units");
  Partition partition;
  size_t first = 0;
  for (uint32_t count : counts) {
    partition.parts.emplace_back(units.begin() + first, units.begin() + first + count);
    first += count;
  }
  return partition;
}

/// The parts that `units` fall into on one level; empty where it does not split them.
std::vector<std::vector<uint32_t>> groupsOf(const Topology& topology,
                                            std::span<const uint32_t> units, Domain domain) {
  std::map<int32_t, std::vector<uint32_t>> groups;
  for (uint32_t unit : units)
    groups[topology.units[unit].group[static_cast<size_t>(domain)]].push_back(unit);
  std::vector<std::vector<uint32_t>> parts;
  if (groups.size() > 1 && !groups.contains(-1))
    for (auto& [number, members] : groups)
      parts.push_back(std::move(members));
  return parts;
}

bool isAskedFor(Domain domain, cl_device_affinity_domain wanted) {
  switch (domain) {
  case Domain::Numa:
    return wanted == CL_DEVICE_AFFINITY_DOMAIN_NUMA;
  case Domain::L4:
    return wanted == CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE;
  case Domain::L3:
    return wanted == CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE;
  case Domain::L2:
    return wanted == CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE;
  case Domain::L1:
    break;
  }
  return wanted == CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE;
}

Result<Partition> splitByAffinity(const Topology& topology, std::span<const uint32_t> units,
                                  cl_device_affinity_domain wanted) {
  for (Domain domain : allDomains) {
    if (wanted != CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE && !isAskedFor(domain, wanted))
      continue;
    if (std::vector<std::vector<uint32_t>> parts = groupsOf(topology, units, domain);
        !parts.empty())
      return Partition{.parts = std::move(parts), .domain = domain};
  }
  return cannotSplit("by this affinity domain", units.size());
}

} // namespace

Result<Partition> splitUnits(const Topology& topology, std::span<const uint32_t> units,
                             const device::PartitionRequest& request) {
  switch (request.kind) {
  case device::PartitionKind::Equally:
    return splitEqually(units, request.unitsEach);
  case device::PartitionKind::ByCounts:
    return splitByCounts(units, request.counts);
  case device::PartitionKind::ByAffinityDomain:
    break;
  }
  return splitByAffinity(topology, units, request.domain);
}

} // namespace quern::cpu
