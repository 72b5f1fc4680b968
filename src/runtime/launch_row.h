#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "device/device.h"
#include "runtime/uses.h"

namespace quern::runtime {

/// Small launches in a row of one in-order queue, for which the program wanted no event: they run
/// one after the other behind the launch of an Event and are a part of it, so that what an event
/// and a turn in the schedule cost is paid once for all. Grows while it runs, until the device has
/// run all that there is. A launch that is the same as an earlier one is only counted again.
///
/// One thread at a time adds, under the queue's lock, and one takes, each with the functions named
/// below.
class LaunchRow {
public:
  struct Launch {
    /// Of the arguments (Kernel::version); tells launches apart, with the range.
    uint64_t version = 0;
    device::LaunchKernel work;
    Uses uses;
    uint64_t nanoseconds = 0; ///< what it probably takes
  };

  // For the thread that adds.
  /// A launch of this row that is the same; null where there is none among the latest.
  const Launch* find(uint64_t version, const device::NdRange& range) const;
  /// Where the next different launch can be made, which `add` then takes; its memory is that of an
  /// earlier one. Null where there is no room.
  Launch* fresh();
  /// Puts a launch that `find` or `fresh` returned at the end. False, and nothing done, when the
  /// row has ended or is as long as it may become.
  bool add(const Launch& launch);
  /// Launches so far.
  uint32_t size() const { return added_.load(std::memory_order_relaxed) & ~endedBit; }

  // For the thread that takes.
  /// The next launch. Null when there is none: then the row has ended.
  const device::LaunchKernel* next();
  /// Gives up all references; the row can be used again. After nobody adds any more.
  void clear();

private:
  static constexpr uint32_t mostLaunches = 512, mostDifferent = 32;
  /// So many different launches are looked at for one that is the same.
  static constexpr uint32_t mostCompared = 4;
  /// A row ends before long, so that what it keeps is released, and other work has its turn.
  static constexpr uint64_t mostNanoseconds = 100'000;
  static constexpr uint32_t endedBit = 1u << 31;

  std::array<Launch, mostDifferent> launches_;
  uint32_t different_ = 0;
  uint64_t nanoseconds_ = 0;
  /// Which of `launches_` they are, one after the other.
  std::array<uint8_t, mostLaunches> order_;
  /// How many `order_` has, and `endedBit`.
  alignas(64) std::atomic<uint32_t> added_{0};
  alignas(64) uint32_t taken_ = 0;
  uint32_t seen_ = 0; ///< of `added_`, when it was looked at last
};

} // namespace quern::runtime
