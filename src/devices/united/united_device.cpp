#include "devices/united/united_device.h"

#include "base/sentence.h"
#include "devices/united/caps.h"
#include "devices/united/member_choice.h"
#include "devices/united/united_executable.h"
#include "devices/united/united_memory.h"
#include "devices/united/united_queue.h"

namespace quern::united {

UnitedDevice::UnitedDevice(std::vector<Ref<device::Device>> members)
    : Device(makeCaps(members)), members_(makeRef<Members>(std::move(members))) {}

Result<std::vector<Ref<device::Device>>> UnitedDevice::partition(const device::PartitionRequest&) {
  return Status::error(CL_DEVICE_PARTITION_FAILED,
                       "a united device has no parts: its members are devices of their own");
}

Result<Ref<device::Allocation>> UnitedDevice::allocate(const device::AllocationRequest& request) {
  if (request.bytes > caps().globalMemBytes)
    return Status::error(CL_MEM_OBJECT_ALLOCATION_FAILURE,
                         sentence("an allocation of ", request.bytes,
                                  " bytes is too large: a united device has ",
                                  caps().globalMemBytes));
  return UnitedAllocation::create(*members_, request);
}

bool UnitedDevice::canCopy(device::Allocation& source, device::Allocation& destination) {
  return isReached({.allocation = &source}) && isReached({.allocation = &destination});
}

void UnitedDevice::store(uint64_t address, std::span<const std::byte> bytes) {
  const UnitedAllocation* const allocation = members_->addresses.find(address);
  if (!allocation) // Memory that the host reaches.
    return (*members_)[0].store(address, bytes);
  for (uint32_t member = 0; member < members_->count(); ++member)
    (*members_)[member].store(allocation->on(member).address() + (address - allocation->address()),
                              bytes);
}

Result<Ref<device::Image>> UnitedDevice::createImage(const device::ImageRequest& request) {
  return UnitedImage::create(*members_, request);
}

Result<Ref<device::Executable>> UnitedDevice::load(const abi::ProgramImage& image) {
  return UnitedExecutable::load(*members_, image);
}

Result<Ref<device::Queue>> UnitedDevice::createQueue(const device::QueueRequest& request) {
  return UnitedQueue::create(*members_, request);
}

bool UnitedDevice::help() {
  // A member that has work under way may wait for it a moment; none waits for another.
  bool helped = false;
  for (const Ref<device::Device>& member : members_->devices())
    helped |= member->help();
  return helped;
}

uint64_t UnitedDevice::timestamp() const {
  return now();
}

Result<Ref<device::Device>> unite(std::string_view which,
                                  std::span<const device::NamedDevice> devices) {
  QUERN_ASSIGN(std::vector<Ref<device::Device>> members, chooseMembers(which, devices));
  const compiler::Target& target = members.front()->caps().target;
  for (const Ref<device::Device>& member : members)
    if (member->caps().target.description != target.description)
      return Status::error(CL_INVALID_VALUE,
                           sentence("QUERN_UNITE is '", which, "', but '", member->caps().name,
                                    "' needs other code than '", members.front()->caps().name,
                                    "'"));
  return Ref<device::Device>(makeRef<UnitedDevice>(std::move(members)));
}

} // namespace quern::united
