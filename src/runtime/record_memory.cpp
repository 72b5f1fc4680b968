#include "runtime/record_memory.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "abi/child_records.h"
#include "runtime/device.h"
#include "runtime/execution.h"

namespace quern::runtime {

namespace {

/// Of one device: more than run at a time, with some that wait for nothing but a thread.
constexpr uint32_t mostPieces = 32;

} // namespace

RecordMemory::DeviceMemory& RecordMemory::of(const Device& device, State& state) {
  const auto found = std::ranges::find(state, &device, &DeviceMemory::device);
  return found != state.end() ? *found : state.emplace_back(&device);
}

Result<RecordMemory::Piece> RecordMemory::take(const Device& device, uint64_t bytes,
                                               AwaitsMemory& waiting) {
  Piece piece;
  const bool isTaken = state_.with([&](State& state) {
    DeviceMemory& memory = of(device, state);
    if (memory.pieces == mostPieces) {
      memory.waiting.push_back(&waiting);
      return false;
    }
    ++memory.pieces;
    if (memory.eventTimes)
      piece.eventTimes = memory.eventTimes->address();
    if (!memory.idle.empty()) {
      piece.records = std::move(memory.idle.back());
      memory.idle.pop_back();
    }
    return true;
  });
  if (!isTaken)
    return Piece();
  Result<Piece> completed = complete(device, bytes, std::move(piece));
  if (!completed.ok())
    giveBack(device, nullptr);
  return completed;
}

/// Allocates what `piece` lacks.
Result<RecordMemory::Piece> RecordMemory::complete(const Device& device, uint64_t bytes,
                                                   Piece piece) {
  if (!piece.records || piece.records->bytes() < bytes) {
    QUERN_ASSIGN(piece.records, device.backend().allocate({.bytes = bytes, .shared = true}));
  }
  if (piece.eventTimes == 0) {
    constexpr uint64_t tableBytes = abi::eventTimesCount * sizeof(abi::EventTimes);
    QUERN_ASSIGN(Ref<device::Allocation> table,
                 device.backend().allocate({.bytes = tableBytes, .shared = true}));
    std::memset(table->hostPointer(), 0, tableBytes);
    piece.eventTimes = state_.with([&](State& state) {
      Ref<device::Allocation>& known = of(device, state).eventTimes;
      if (!known)
        known = std::move(table);
      return known->address();
    });
  }
  return piece;
}

void RecordMemory::giveBack(const Device& device, Ref<device::Allocation> records) {
  AwaitsMemory* const next = state_.with([&](State& state) -> AwaitsMemory* {
    DeviceMemory& memory = of(device, state);
    --memory.pieces;
    if (records)
      memory.idle.push_back(std::move(records));
    if (memory.waiting.empty())
      return nullptr;
    AwaitsMemory* const first = memory.waiting.front();
    memory.waiting.pop_front();
    return first;
  });
  if (next)
    next->memoryArrived(CL_COMPLETE);
}

void RecordMemory::tellTimes(const Device& device, uint64_t number, const ProfilingTimes& times) {
  std::byte* const table =
      state_.with([&](State& state) { return of(device, state).eventTimes->hostPointer(); });
  auto& entry = reinterpret_cast<abi::EventTimes*>(table)[number % abi::eventTimesCount];
  // Kernels that read it meanwhile see that the event changes.
  std::atomic_ref(entry.event).store(0, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  std::atomic_ref(entry.ownNs).store(times.ended - times.started, std::memory_order_relaxed);
  std::atomic_ref(entry.completeNs)
      .store(times.completed - times.started, std::memory_order_relaxed);
  std::atomic_ref(entry.event).store(number, std::memory_order_release);
}

} // namespace quern::runtime
