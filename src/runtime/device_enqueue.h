#pragma once

#include <atomic>
#include <unordered_map>
#include <vector>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/weak_anchor.h"
#include "runtime/event.h"
#include "runtime/record_memory.h"

namespace quern::runtime {

class Device;
class DeviceQueue;

/// What a context knows for kernels that enqueue others: its queues on devices and the events that
/// kernels made. Thread-safe.
class DeviceEnqueue {
public:
  DeviceEnqueue() = default;
  DeviceEnqueue(const DeviceEnqueue&) = delete;
  DeviceEnqueue& operator=(const DeviceEnqueue&) = delete;
  ~DeviceEnqueue();

  /// A number for a new queue, from 1 on; 0 where `most` are taken.
  uint32_t takeNumber(uint32_t most);
  /// With the last one, the events that kernels did not release are forgotten.
  void giveNumberBack(uint32_t number);
  void add(uint32_t number, DeviceQueue& queue);
  /// The queue that kernels know by `bits`, or null when it is gone.
  Ref<DeviceQueue> find(uint64_t bits);
  std::vector<Ref<DeviceQueue>> queues();
  /// The size of the largest queue that there was.
  cl_uint largestQueue() const { return largestQueue_.load(std::memory_order_relaxed); }

  /// Null where there is none.
  Ref<DeviceQueue> defaultOf(const Device& device);
  void setDefault(DeviceQueue& queue);

  /// The first of `count` numbers for events that nobody else has.
  uint64_t takeEventNumbers(uint64_t count);
  /// `number`, of which a kernel has one reference, is `event` from now on.
  void addEvent(uint64_t number, Ref<Event> event);
  /// Null for one that kernels have released.
  Ref<Event> eventOf(uint64_t number);
  void retainEvent(uint64_t number);
  void releaseEvent(uint64_t number);

  RecordMemory& memory() { return memory_; }

private:
  struct Slot {
    bool isTaken = false;
    Ref<WeakAnchor<DeviceQueue>> queue;
  };
  struct Default {
    const Device* device;
    Ref<WeakAnchor<DeviceQueue>> queue;
  };
  struct KnownEvent {
    Ref<Event> event;
    uint32_t references = 1;
  };
  using KnownEvents = std::unordered_map<uint64_t, KnownEvent>;
  struct State {
    std::vector<Slot> slots;
    uint32_t taken = 0;
    std::vector<Default> defaults;
    KnownEvents events;
  };

  MutexProtected<State> state_;
  std::atomic<uint64_t> nextEvent_{1};
  std::atomic<cl_uint> largestQueue_{0};
  RecordMemory memory_;
};

} // namespace quern::runtime
