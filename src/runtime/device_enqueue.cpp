#include "runtime/device_enqueue.h"

#include <algorithm>

#include "runtime/device.h"
#include "runtime/device_queue.h"

namespace quern::runtime {

DeviceEnqueue::~DeviceEnqueue() = default;

uint32_t DeviceEnqueue::takeNumber(uint32_t most) {
  return state_.with([most](State& state) -> uint32_t {
    if (state.taken == most)
      return 0;
    ++state.taken;
    auto slot = std::ranges::find(state.slots, false, &Slot::isTaken);
    if (slot == state.slots.end())
      slot = state.slots.insert(slot, Slot());
    slot->isTaken = true;
    return static_cast<uint32_t>(slot - state.slots.begin()) + 1;
  });
}

void DeviceEnqueue::giveNumberBack(uint32_t number) {
  // Dropped after the lock.
  KnownEvents forgotten;
  state_.with([&](State& state) {
    state.slots[number - 1] = {};
    if (--state.taken == 0)
      forgotten.swap(state.events);
  });
}

void DeviceEnqueue::add(uint32_t number, DeviceQueue& queue) {
  cl_uint largest = largestQueue_.load();
  while (largest < queue.bytes() && !largestQueue_.compare_exchange_weak(largest, queue.bytes())) {
  }
  state_.with([&](State& state) { state.slots[number - 1].queue = queue.anchor(); });
}

Ref<DeviceQueue> DeviceEnqueue::find(uint64_t bits) {
  const Ref<WeakAnchor<DeviceQueue>> anchor = state_.with([bits](State& state) {
    const uint64_t number = bits >> 32;
    return number == 0 || number > state.slots.size() ? nullptr : state.slots[number - 1].queue;
  });
  return anchor ? anchor->lock() : nullptr;
}

std::vector<Ref<DeviceQueue>> DeviceEnqueue::queues() {
  std::vector<Ref<DeviceQueue>> queues;
  state_.with([&queues](State& state) {
    for (const Slot& slot : state.slots)
      if (Ref<DeviceQueue> queue = slot.queue ? slot.queue->lock() : nullptr)
        queues.push_back(std::move(queue));
  });
  return queues;
}

Ref<DeviceQueue> DeviceEnqueue::defaultOf(const Device& device) {
  const Ref<WeakAnchor<DeviceQueue>> anchor =
      state_.with([&device](State& state) -> Ref<WeakAnchor<DeviceQueue>> {
        const auto found = std::ranges::find(state.defaults, &device, &Default::device);
        return found == state.defaults.end() ? nullptr : found->queue;
      });
  return anchor ? anchor->lock() : nullptr;
}

void DeviceEnqueue::setDefault(DeviceQueue& queue) {
  state_.with([&queue](State& state) {
    const auto found = std::ranges::find(state.defaults, &queue.device(), &Default::device);
    if (found == state.defaults.end())
      state.defaults.push_back({&queue.device(), queue.anchor()});
    else
      found->queue = queue.anchor();
  });
}

uint64_t DeviceEnqueue::takeEventNumbers(uint64_t count) {
  return nextEvent_.fetch_add(count, std::memory_order_relaxed);
}

void DeviceEnqueue::addEvent(uint64_t number, Ref<Event> event) {
  state_.with([&](State& state) {
    // An event keeps the context, and would do so for ever.
    if (state.taken != 0)
      state.events.emplace(number, KnownEvent{std::move(event)});
  });
}

Ref<Event> DeviceEnqueue::eventOf(uint64_t number) {
  return state_.with([number](State& state) -> Ref<Event> {
    const auto found = state.events.find(number);
    return found == state.events.end() ? nullptr : found->second.event;
  });
}

void DeviceEnqueue::retainEvent(uint64_t number) {
  state_.with([number](State& state) {
    if (const auto found = state.events.find(number); found != state.events.end())
      ++found->second.references;
  });
}

void DeviceEnqueue::releaseEvent(uint64_t number) {
  // The last reference to the event is dropped after the lock.
  Ref<Event> released;
  state_.with([&](State& state) {
    const auto found = state.events.find(number);
    if (found == state.events.end() || --found->second.references != 0)
      return;
    released = std::move(found->second.event);
    state.events.erase(found);
  });
}

} // namespace quern::runtime
