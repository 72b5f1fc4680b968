#include "devices/united/united_memory.h"

namespace quern::united {

using device::Replicas;

UnitedAllocation::UnitedAllocation(Ref<Members> members, uint64_t address, uint64_t bytes,
                                   std::vector<Replicas::Replica> copies)
    : Allocation(address, nullptr, bytes), members_(std::move(members)),
      replicas_(makeRef<Replicas>(std::move(copies), Replicas::Contents::Undefined)) {}

UnitedAllocation::~UnitedAllocation() {
  members_->addresses.remove(address());
}

Result<Ref<device::Allocation>> UnitedAllocation::create(Members& members,
                                                         const device::AllocationRequest& request) {
  // What the host must reach is not for kernels here.
  if (request.shared)
    return members[0].allocate(request);
  std::vector<Replicas::Replica> copies;
  for (uint32_t member = 0; member < members.count(); ++member) {
    QUERN_ASSIGN(Ref<device::Allocation> copy, members[member].allocate(request));
    QUERN_ASSIGN(Ref<device::Queue> mover, members.mover(member));
    copies.push_back({members.devices()[member], std::move(copy), std::move(mover)});
  }
  const uint64_t address = members.addresses.newAddress(request.bytes);
  auto allocation =
      makeRef<UnitedAllocation>(Ref<Members>(&members), address, request.bytes, std::move(copies));
  members.addresses.add(*allocation);
  return Ref<device::Allocation>(std::move(allocation));
}

UnitedAllocation* UnitedAllocation::of(const device::Place& place) {
  return place.allocation && !place.allocation->hostPointer()
             ? dynamic_cast<UnitedAllocation*>(place.allocation)
             : nullptr;
}

bool isReached(const device::Place& place) {
  return !place.allocation || place.allocation->hostPointer() || UnitedAllocation::of(place);
}

UnitedImage::UnitedImage(Ref<UnitedAllocation> allocation, std::vector<Ref<device::Image>> images)
    : Image(reinterpret_cast<uint64_t>(this)), allocation_(std::move(allocation)),
      images_(std::move(images)) {}

Result<Ref<device::Image>> UnitedImage::create(const Members& members,
                                               const device::ImageRequest& request) {
  auto& allocation = static_cast<UnitedAllocation&>(*request.allocation);
  std::vector<Ref<device::Image>> images;
  for (uint32_t member = 0; member < members.count(); ++member) {
    device::ImageRequest own = request;
    own.allocation = Ref<device::Allocation>(&allocation.on(member));
    QUERN_ASSIGN(Ref<device::Image> image, members[member].createImage(own));
    images.push_back(std::move(image));
  }
  return Ref<device::Image>(
      makeRef<UnitedImage>(Ref<UnitedAllocation>(&allocation), std::move(images)));
}

} // namespace quern::united
