#include "devices/remote/remote_device.h"

#include <algorithm>

#include "base/log.h"
#include "base/sentence.h"
#include "devices/remote/enumerate.h"
#include "devices/remote/job.h"
#include "devices/remote/remote_executable.h"
#include "devices/remote/remote_memory.h"
#include "devices/remote/remote_queue.h"
#include "devices/remote/transfer_plan.h"

namespace quern::remote {

namespace {

/// What needs memory that the program and kernels share.
constexpr std::string_view missingFeatures[] = {"__opencl_c_device_enqueue",
                                                "__opencl_c_atomic_scope_all_devices"};

/// What of a device is left on another machine: no memory is shared with the program, but some
/// may be at the same addresses.
device::Caps remoteCaps(device::Caps caps, const std::string& host, int rank) {
  caps.name += sentence(" (node ", rank, ", ", host, ")");
  // Two nodes may have the same processor.
  caps.uuid.back() ^= static_cast<uint8_t>(rank);
  caps.uuid[caps.uuid.size() - 2] ^= static_cast<uint8_t>(rank >> 8);
  caps.profilingResolutionNs = std::max<uint64_t>(caps.profilingResolutionNs, 1000);
  caps.atomicMemory &= ~cl_device_atomic_capabilities{CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES};
  caps.atomicFence &= ~cl_device_atomic_capabilities{CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES};
  std::erase_if(caps.target.features, [](const std::string& feature) {
    return std::ranges::count(missingFeatures, feature) != 0;
  });
  return caps;
}

} // namespace

RemoteDevice::RemoteDevice(RemoteNode& node, const std::string& host, uint64_t number,
                           device::Caps caps, Kept kept)
    : Device(std::move(caps)), node_(node), host_(host), number_(number), kept_(kept) {}

RemoteDevice::~RemoteDevice() {
  if (kept_ == Kept::WhileUsed)
    node_.tell(cluster::Free{number_});
}

Result<std::vector<Ref<device::Device>>>
RemoteDevice::partition(const device::PartitionRequest& request) {
  const uint64_t first = node_.newNumbers(this->caps().maxSubDevices);
  QUERN_ASSIGN(std::vector<cluster::DeviceEntry> entries,
               node_.call<std::vector<cluster::DeviceEntry>>(
                   cluster::Partition{.device = number_, .firstPart = first, .request = request}));
  std::vector<Ref<device::Device>> parts;
  for (cluster::DeviceEntry& entry : entries) {
    entry.caps.svm &= this->caps().svm;
    parts.push_back(makeRef<RemoteDevice>(node_, host_, entry.device,
                                          remoteCaps(std::move(entry.caps), host_, node_.rank()),
                                          Kept::WhileUsed));
  }
  return parts;
}

Result<Ref<device::Allocation>> RemoteDevice::allocate(const device::AllocationRequest& request) {
  return remote::allocate(node_, number_, request);
}

/// What can have memory at certain addresses works in that of the node's host.
bool RemoteDevice::sharesMemoryWith(const device::Device& other) const {
  const auto* const remote = dynamic_cast<const RemoteDevice*>(&other);
  return remote && (remote == this ||
                    (&remote->node_ == &node_ && caps().hasOwnSvm() && remote->caps().hasOwnSvm()));
}

Result<Ref<device::AddressLease>> RemoteDevice::takeAddresses(uint64_t bytes) {
  if (Ref<device::AddressLease> place = node_.job().addresses()->take(bytes))
    return place;
  return Status::error(CL_MEM_OBJECT_ALLOCATION_FAILURE,
                       sentence("no addresses are left for ", bytes,
                                " bytes of shared virtual memory with nodes of the cluster"));
}

bool RemoteDevice::canCopy(device::Allocation& source, device::Allocation& destination) {
  const device::Copy copy = {
      .source = {.allocation = &source}, .destination = {.allocation = &destination}, .bytes = 1};
  return !std::holds_alternative<Refused>(planTransfer(copy, node_));
}

void RemoteDevice::store(uint64_t address, std::span<const std::byte> bytes) {
  const Status status =
      node_
          .call<uint8_t>(cluster::Store{
              .device = number_, .address = address, .data = Bytes(bytes.begin(), bytes.end())})
          .takeStatus();
  if (!status.ok())
    log::error(status.sentence());
}

Result<Ref<device::Image>> RemoteDevice::createImage(const device::ImageRequest& request) {
  return remote::createImage(node_, number_, request);
}

Result<Ref<device::Executable>> RemoteDevice::load(const abi::ProgramImage& image) {
  return RemoteExecutable::load(node_, number_, image);
}

Result<Ref<device::Queue>> RemoteDevice::createQueue(const device::QueueRequest& request) {
  return RemoteQueue::create(node_, number_, request);
}

bool RemoteDevice::help() {
  return node_.job().help();
}

std::vector<Ref<device::Device>> enumerate() {
  std::vector<Ref<device::Device>> devices;
  if (Job* const job = Job::get())
    for (const auto& [node, greeting] : job->greetings())
      for (const cluster::DeviceEntry& entry : greeting.devices) {
        device::Caps caps = remoteCaps(entry.caps, greeting.host, node->rank());
        if (!job->hasAddresses(greeting))
          caps.svm = 0;
        devices.push_back(makeRef<RemoteDevice>(*node, greeting.host, entry.device, std::move(caps),
                                                Kept::Always));
      }
  return devices;
}

} // namespace quern::remote
