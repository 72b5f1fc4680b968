#include "api/partition.h"

#include <algorithm>

#include "api/invalid.h"
#include "base/sentence.h"

namespace quern::api {

namespace {

using device::Caps;
using device::PartitionKind;

Status parseEqually(const Caps& caps, cl_device_partition_property units, Partition& partition) {
  if (units < 1)
    return invalidValue(sentence("sub-devices of ", units, " compute units are not possible"));
  // The total number of compute units requested exceeds what the device has.
  if (static_cast<uint64_t>(units) > caps.computeUnits)
    return Status::error(CL_INVALID_DEVICE_PARTITION_COUNT,
                         sentence("sub-devices of ", units,
                                  " compute units are asked for; the device has ",
                                  caps.computeUnits));
  // One sub-device that is the device itself is no partition.
  if (static_cast<uint64_t>(units) == caps.computeUnits)
    return Status::error(
        CL_DEVICE_PARTITION_FAILED,
        sentence("sub-devices of all ", units, " compute units do not partition the device"));
  partition.request = {.kind = PartitionKind::Equally, .unitsEach = static_cast<uint32_t>(units)};
  return {};
}

Status parseCounts(const Caps& caps, const cl_device_partition_property* counts,
                   Partition& partition) {
  partition.request.kind = PartitionKind::ByCounts;
  uint64_t total = 0;
  for (; *counts != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; ++counts) {
    // One sub-device asks for a negative number of compute units, or for more than the device has.
    if (*counts < 0 || static_cast<uint64_t>(*counts) > caps.computeUnits)
      return Status::error(CL_INVALID_DEVICE_PARTITION_COUNT,
                           sentence("a sub-device of ", *counts,
                                    " compute units is asked for; the device has ",
                                    caps.computeUnits));
    partition.request.counts.push_back(static_cast<uint32_t>(*counts));
    total += static_cast<uint64_t>(*counts);
  }
  const size_t count = partition.request.counts.size();
  if (count == 0)
    return invalidValue("the list of compute unit counts is empty");
  // More sub-devices than CL_DEVICE_PARTITION_MAX_SUB_DEVICES.
  if (count > caps.maxSubDevices)
    return Status::error(CL_INVALID_DEVICE_PARTITION_COUNT,
                         sentence(count, " sub-devices are asked for; at most ", caps.maxSubDevices,
                                  " are possible"));
  if (total > caps.computeUnits)
    return Status::error(
        CL_INVALID_DEVICE_PARTITION_COUNT,
        sentence(total, " compute units are asked for in all; the device has ", caps.computeUnits));
  return {};
}

Status parseDomain(const Caps& caps, cl_device_partition_property property, Partition& partition) {
  const auto domain = static_cast<cl_device_affinity_domain>(property);
  const cl_device_affinity_domain known =
      caps.affinityDomains | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
  if (domain == 0 || (domain & (domain - 1)) != 0 || (domain & ~known) != 0)
    return invalidValue(sentence("affinity domain ", domain, " is not one that the device has"));
  partition.request = {.kind = PartitionKind::ByAffinityDomain, .domain = domain};
  return {};
}

} // namespace

std::vector<cl_device_partition_property> partitionProperties(const Caps& caps) {
  if (caps.maxSubDevices <= 1)
    return {0};
  std::vector<cl_device_partition_property> list = {CL_DEVICE_PARTITION_EQUALLY,
                                                    CL_DEVICE_PARTITION_BY_COUNTS};
  if (caps.affinityDomains != 0)
    list.push_back(CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
  return list;
}

Result<Partition> parsePartition(const runtime::Device& device,
                                 const cl_device_partition_property* properties) {
  if (!properties || properties[0] == 0)
    return invalidValue("properties is NULL or empty");
  const Caps& caps = device.caps();
  const cl_device_partition_property kind = properties[0];
  const bool isKnown = kind == CL_DEVICE_PARTITION_EQUALLY ||
                       kind == CL_DEVICE_PARTITION_BY_COUNTS ||
                       kind == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN;
  // A kind that exists, but the device could not be further partitioned.
  if (isKnown && caps.maxSubDevices <= 1)
    return Status::error(
        CL_DEVICE_PARTITION_FAILED,
        sentence("the device has ", caps.computeUnits, " compute units and cannot be partitioned"));
  // A kind that does not exist or that the device does not support.
  if (std::ranges::count(partitionProperties(caps), kind) == 0)
    return invalidValue(sentence("the device cannot be partitioned by property ", kind));
  Partition partition;
  const cl_device_partition_property* end = properties + 2;
  if (kind == CL_DEVICE_PARTITION_BY_COUNTS) {
    QUERN_TRY(parseCounts(caps, properties + 1, partition));
    // The zero that ends the counts also ends a list that programs often leave without its own.
    end = properties + 1 + partition.request.counts.size();
    partition.properties.assign(properties, end + 1);
    partition.properties.push_back(0);
    return partition;
  }
  if (kind == CL_DEVICE_PARTITION_EQUALLY)
    QUERN_TRY(parseEqually(caps, properties[1], partition));
  else
    QUERN_TRY(parseDomain(caps, properties[1], partition));
  if (*end != 0)
    return invalidValue("properties names more than one way to partition the device");
  partition.properties.assign(properties, end + 1);
  return partition;
}

} // namespace quern::api
