#include "devices/united/members.h"

#include "devices/united/united_memory.h"

namespace quern::united {

namespace {

/// Addresses of two allocations have at least so many bytes between them.
constexpr uint64_t gap = 4096;

/// What a compute unit with local memory of its own, as GPUs have, does more than one of a CPU,
/// before anything was measured.
constexpr double unitsOfGpu = 4;

Shares guess(std::span<const Ref<device::Device>> devices) {
  std::vector<double> speeds;
  for (const Ref<device::Device>& device : devices) {
    const device::Caps& caps = device->caps();
    const double each = caps.localMemType == CL_LOCAL ? unitsOfGpu : 1;
    speeds.push_back(each * caps.computeUnits * std::max<cl_uint>(1, caps.clockMHz));
  }
  return Shares(speeds);
}

} // namespace

uint64_t AddressSpace::newAddress(uint64_t bytes) {
  auto state = state_.lock();
  const uint64_t address = state->next;
  state->next += (bytes + 2 * gap - 1) / gap * gap;
  return address;
}

void AddressSpace::add(UnitedAllocation& allocation) {
  state_.lock()->allocations.emplace(allocation.address(), &allocation);
}

void AddressSpace::remove(uint64_t address) {
  state_.lock()->allocations.erase(address);
}

UnitedAllocation* AddressSpace::find(uint64_t address) const {
  auto state = state_.lock();
  const auto next = state->allocations.upper_bound(address);
  if (next == state->allocations.begin())
    return nullptr;
  const auto& [begin, allocation] = *std::prev(next);
  return address - begin < allocation->bytes() ? allocation : nullptr;
}

Members::Members(std::vector<Ref<device::Device>> devices)
    : shares(guess(devices)), devices_(std::move(devices)), movers_(devices_.size()) {}

Result<Ref<device::Queue>> Members::mover(uint32_t member) {
  auto movers = movers_.lock();
  Ref<device::Queue>& mover = (*movers)[member];
  if (!mover) {
    QUERN_ASSIGN(mover, devices_[member]->createQueue({}));
  }
  return mover;
}

} // namespace quern::united
