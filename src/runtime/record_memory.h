#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/result.h"
#include "device/memory.h"
#include "device/replicas.h"

namespace quern::runtime {

using device::AwaitsMemory;
class Device;
struct ProfilingTimes;

/// Memory that a context's devices and the host reach, for launches of kernels that enqueue others
/// (abi/child_records.h). Only so many launches have some at a time, however many are ready to run.
/// Thread-safe.
class RecordMemory {
public:
  struct Piece {
    Ref<device::Allocation> records;
    uint64_t eventTimes = 0; ///< the address of the device's table of abi::EventTimes
  };
  /// At least `bytes` bytes for the records of one launch on `device`. Without records where too
  /// many launches have some: then `waiting` is told when to ask again. Fails with
  /// CL_MEM_OBJECT_ALLOCATION_FAILURE.
  Result<Piece> take(const Device& device, uint64_t bytes, AwaitsMemory& waiting);
  void giveBack(const Device& device, Ref<device::Allocation> records);

  /// The command of the event `number` is about to end on `device`, and took `times`.
  void tellTimes(const Device& device, uint64_t number, const ProfilingTimes& times);

private:
  struct DeviceMemory {
    const Device* device;
    Ref<device::Allocation> eventTimes;
    uint32_t pieces = 0; ///< that launches have
    std::vector<Ref<device::Allocation>> idle;
    std::deque<AwaitsMemory*> waiting;
  };
  using State = std::vector<DeviceMemory>;

  static DeviceMemory& of(const Device& device, State& state);
  Result<Piece> complete(const Device& device, uint64_t bytes, Piece piece);

  MutexProtected<State> state_;
};

} // namespace quern::runtime
