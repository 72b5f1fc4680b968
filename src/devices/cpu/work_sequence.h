#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "device/command.h"

namespace quern::cpu {

/// Small work that was appended to a command, in order: it runs behind the command's own on the
/// thread that ends that, so that what a turn in the schedule costs is paid once for all. Grows
/// while it runs, until that thread has run all that there is. One thread at a time adds, and one
/// takes.
class WorkSequence final : public device::AppendedWork {
public:
  /// A piece of work and about how many nanoseconds it takes.
  struct Timed {
    const device::Work* work = nullptr;
    uint64_t nanoseconds = 0;
  };

  // For the thread that adds.
  /// A piece of this sequence that is the same; null where there is none among the latest.
  const Timed* find(const device::Work& work) const;
  /// Puts what `find` returned, or another piece, at the end. False, and nothing done, when the
  /// sequence has ended or is as long as it may become.
  bool add(const Timed& piece);
  /// Whether so much has been added since the last true that it should not wait for a flush.
  bool isWorthAThread();

  // For the thread that takes.
  /// The next piece of work. Null when there is none: then the sequence has ended.
  const device::Work* next();
  /// The sequence can be used again. After nobody adds any more.
  void clear();

private:
  static constexpr uint32_t mostPieces = 512, mostDifferent = 64;
  /// So many different pieces are looked at for one that is the same.
  static constexpr uint32_t mostCompared = 4;
  /// A sequence ends before long, so that what its work uses is released, and other work has its
  /// turn.
  static constexpr uint64_t mostNanoseconds = 100'000;
  /// What beginning a piece of work costs, and what is worth waking a thread.
  static constexpr uint64_t nanosecondsToBegin = 50, nanosecondsWorthAThread = 10'000;
  static constexpr uint32_t endedBit = 1u << 31;

  std::array<Timed, mostDifferent> pieces_;
  uint32_t different_ = 0;
  uint64_t nanoseconds_ = 0, nanosecondsSinceTold_ = 0;
  /// Which of `pieces_` they are, one after the other. Small, because two threads' caches share it.
  std::array<uint8_t, mostPieces> order_;
  /// How many `order_` has, and `endedBit`.
  alignas(64) std::atomic<uint32_t> added_{0};
  alignas(64) uint32_t taken_ = 0;
  uint32_t seen_ = 0; ///< of `added_`, when it was looked at last
};

/// The sequence of `command`; null when nothing has been appended yet. For the thread that appends.
WorkSequence* sequenceOf(device::Command& command);

/// Gives `command`, which has no sequence, `fresh` with its first piece of work. False when the
/// command has ended.
bool begin(device::Command& command, WorkSequence& fresh);

/// What was appended to `command`, whose own work has ended. Null when nothing was: then nothing
/// will be.
WorkSequence* appendedTo(device::Command& command);

} // namespace quern::cpu
