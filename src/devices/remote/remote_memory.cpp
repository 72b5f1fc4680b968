#include "devices/remote/remote_memory.h"

#include <cstdlib>

#include "base/sentence.h"

namespace quern::remote {

namespace {

constexpr uint64_t hostAlignment = 128;

class HostAllocation final : public device::Allocation {
public:
  HostAllocation(std::byte* data, uint64_t bytes) : Allocation(data, bytes) {}
  ~HostAllocation() override { std::free(hostPointer()); }
};

/// Shared virtual memory's copy in this process.
class PlacedAllocation final : public device::Allocation {
public:
  PlacedAllocation(Ref<device::AddressLease> place, uint64_t bytes)
      : Allocation(place->data(), bytes), place_(std::move(place)) {}

private:
  const Ref<device::AddressLease> place_;
};

class RemoteImage final : public device::Image {
public:
  RemoteImage(RemoteNode& node, uint64_t number, uint64_t handle, Ref<device::Allocation> memory)
      : Image(handle), node_(node), number_(number), memory_(std::move(memory)) {}
  ~RemoteImage() override { node_.tell(cluster::Free{number_}); }

private:
  RemoteNode& node_;
  const uint64_t number_;
  const Ref<device::Allocation> memory_;
};

Status noMemory(uint64_t bytes) {
  return Status::error(CL_MEM_OBJECT_ALLOCATION_FAILURE,
                       sentence("the system has no memory for an allocation of ", bytes, " bytes"));
}

Result<Ref<device::Allocation>> allocateOnHost(const device::AllocationRequest& request) {
  const uint64_t bytes = request.bytes;
  if (request.place && !request.place->map())
    return noMemory(bytes);
  if (request.place)
    return Ref<device::Allocation>(makeRef<PlacedAllocation>(request.place, bytes));
  const uint64_t whole = (bytes + hostAlignment - 1) / hostAlignment * hostAlignment;
  auto* const data = static_cast<std::byte*>(std::aligned_alloc(hostAlignment, whole));
  if (!data)
    return noMemory(bytes);
  return Ref<device::Allocation>(makeRef<HostAllocation>(data, bytes));
}

} // namespace

Result<Ref<device::Allocation>> allocate(RemoteNode& node, uint64_t device,
                                         const device::AllocationRequest& request) {
  if (request.shared)
    return allocateOnHost(request);
  const uint64_t number = node.newNumber();
  QUERN_ASSIGN(const uint64_t address,
               node.call<uint64_t>(
                   cluster::Allocate{.device = device,
                                     .allocation = number,
                                     .bytes = request.bytes,
                                     .address = request.place ? request.place->address() : 0}));
  return Ref<device::Allocation>(
      makeRef<RemoteAllocation>(node, number, address, request.bytes, request.place));
}

Result<Ref<device::Image>> createImage(RemoteNode& node, uint64_t device,
                                       const device::ImageRequest& request) {
  const auto& memory = static_cast<const RemoteAllocation&>(*request.allocation);
  const uint64_t number = node.newNumber();
  QUERN_ASSIGN(const uint64_t handle,
               node.call<uint64_t>(cluster::CreateImage{.device = device,
                                                        .image = number,
                                                        .allocation = memory.number(),
                                                        .offset = request.offset,
                                                        .description = request.description}));
  return Ref<device::Image>(makeRef<RemoteImage>(node, number, handle, request.allocation));
}

} // namespace quern::remote
