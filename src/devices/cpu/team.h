#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <pthread.h>
#include <vector>

#include "device/command.h"
#include "devices/cpu/idle_units.h"

namespace quern::cpu {

/// A command that a thread runs alone; lies on the thread's stack. After a fork the child learns
/// from these which commands died with the other threads.
struct Running {
  /// Null as soon as the command is being ended, because it may be gone then. Written without the
  /// lock by its thread.
  std::atomic<device::Command*> command{nullptr};
  pthread_t thread = {};
  Running* next = nullptr;
  Running** link = nullptr;
};

/// The units of one device or sub-device, and its commands. What is not atomic or const is guarded
/// by the scheduler's lock. Never deleted: who looks for a job to join may look at any that has
/// been.
struct Team {
  Team(std::vector<uint32_t> teamUnits, uint32_t poolUnits, bool mayHelp);

  const std::vector<uint32_t> units;
  const bool helpersAllowed; ///< false where work must stay on the CPUs that the units are bound to
  /// By the pool's unit: its number in this team, or -1.
  std::vector<int32_t> ordinal;
  UnitSet unitSet; ///< `units`

  bool hasUnit(uint32_t unit) const { return ordinal[unit] >= 0; }
  uint32_t size() const { return static_cast<uint32_t>(units.size()); }

  /// Whether as many threads run something for it as it has units. Another may be counted late.
  bool isFull() const { return active.load() >= size(); }

  /// Commands as they were submitted, the latest first; pushed without the lock.
  alignas(64) std::atomic<device::Command*> incoming{nullptr};
  /// Commands submitted and not yet begun. Counted before they can be seen.
  std::atomic<uint32_t> pending{0};
  /// Jobs that take one more thread. Who changes that counts it afterwards: may be less than none
  /// for a moment.
  std::atomic<int32_t> openJobs{0};
  /// Counts commands that end and threads that leave commands, for threads that watch.
  std::atomic<uint32_t> changes{0};
  /// Device and queues that refer to this team.
  std::atomic<uint32_t> handles{0};
  /// Nanoseconds of work in jobs since the last that was worth waking a thread for.
  std::atomic<uint64_t> unhelped{0};
  /// Helping threads that look for work of this team.
  std::atomic<uint32_t> watching{0};
  /// Threads that run something for this team.
  alignas(64) std::atomic<uint32_t> active{0};

  /// High, medium and low priority.
  static constexpr uint32_t ranks = 3;
  /// Commands of one rank in the order of their submission.
  struct Ready {
    device::Command* first = nullptr;
    device::Command* last = nullptr;
  };
  /// By rank, the most urgent first. A thread takes a command of a lower rank only when there is
  /// none of a higher one; nothing that runs is interrupted.
  alignas(64) std::array<Ready, ranks> ready;
  Running* running = nullptr;
};

} // namespace quern::cpu
