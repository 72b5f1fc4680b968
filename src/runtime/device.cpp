#include "runtime/device.h"

#include <array>

namespace quern::runtime {

namespace {

/// The order in which CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE tries the domains: outermost
/// first.
constexpr std::array<cl_device_affinity_domain, 5> domainsOutermostFirst = {
    CL_DEVICE_AFFINITY_DOMAIN_NUMA, CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE,
    CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE,
    CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE};

/// Partitions by the outermost domain that splits `backend`, and says in `domain` which one that
/// was.
Result<std::vector<Ref<device::Device>>> partitionByNextDomain(device::Device& backend,
                                                               cl_device_affinity_domain& domain) {
  for (const cl_device_affinity_domain candidate : domainsOutermostFirst) {
    if (!(backend.caps().affinityDomains & candidate))
      continue;
    auto parts =
        backend.partition({.kind = device::PartitionKind::ByAffinityDomain, .domain = candidate});
    if (!parts.ok())
      continue;
    domain = candidate;
    return parts;
  }
  return Status::error(CL_DEVICE_PARTITION_FAILED,
                       "the device has no affinity domain that splits it further");
}

} // namespace

Device::Device(Ref<device::Device> backend, Ref<Device> parent,
               std::vector<cl_device_partition_property> partition)
    : Object(ObjectKind::Device), backend_(std::move(backend)), parent_(std::move(parent)),
      partition_(std::move(partition)) {
  // A root device's reference count is always 1 for the program.
  if (isRoot())
    retainFromApi();
}

Result<std::vector<Ref<Device>>>
Device::createSubDevices(const device::PartitionRequest& request,
                         const std::vector<cl_device_partition_property>& properties) {
  std::vector<cl_device_partition_property> applied = properties;
  Result<std::vector<Ref<device::Device>>> parts = [&] {
    if (request.domain != CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE)
      return backend_->partition(request);
    cl_device_affinity_domain domain = request.domain;
    auto result = partitionByNextDomain(*backend_, domain);
    // The sub-devices report the domain that was really used.
    applied[1] = static_cast<cl_device_partition_property>(domain);
    return result;
  }();
  if (!parts.ok())
    return parts.takeStatus();
  std::vector<Ref<Device>> devices;
  for (Ref<device::Device>& part : *parts)
    devices.push_back(makeRef<Device>(std::move(part), Ref<Device>(this), applied));
  return devices;
}

} // namespace quern::runtime
