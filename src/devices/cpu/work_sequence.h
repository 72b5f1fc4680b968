#pragma once

#include <algorithm>
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
  // For the thread that adds. False, and nothing done, when the sequence has ended or is as long as
  // it may become.
  /// Puts `work` at the end once more, where it is one of the latest different ones. False where it
  /// is not, too.
  bool repeat(const device::Work& work) {
    const uint32_t compared = std::min(different_, mostCompared);
    for (uint32_t i = 1; i <= compared; ++i)
      if (const uint32_t piece = different_ - i; pieces_[piece].work == &work)
        return put(piece, pieces_[piece].nanoseconds + nanosecondsToBegin);
    return false;
  }
  /// Puts `work`, which takes about `nanoseconds`, at the end.
  bool add(const device::Work& work, uint64_t nanoseconds) {
    if (different_ == mostDifferent)
      return false;
    pieces_[different_] = {&work, nanoseconds};
    if (!put(different_, nanoseconds - std::min(nanoseconds, nanosecondsToHandOver)))
      return false;
    ++different_;
    return true;
  }
  /// Whether so much has been added since the last true that it should not wait for a flush.
  bool isWorthAThread() {
    if (nanosecondsSinceTold_ < nanosecondsWorthAThread)
      return false;
    nanosecondsSinceTold_ = 0;
    return true;
  }

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
  /// What a command costs both threads together when another one runs it than the one that recorded
  /// it: it is written and read and given up, and what it uses is counted, in lines that only one
  /// cache has. Not only what the thread that adds pays: where commands have been handed over, the
  /// time that they are known to take has the other half in it, and would keep them there.
  static constexpr uint64_t nanosecondsToHandOver = 1000;
  static constexpr uint32_t endedBit = 1u << 31;

  /// A piece of work and about how many nanoseconds it takes.
  struct Timed {
    const device::Work* work;
    uint64_t nanoseconds;
  };
  /// `gain`: nanoseconds that the thread that adds saves where another one runs the piece.
  bool put(uint32_t piece, uint64_t gain) {
    const uint32_t size = added_.load(std::memory_order_relaxed) & ~endedBit;
    if (size == mostPieces || nanoseconds_ > mostNanoseconds)
      return false;
    order_[size] = static_cast<uint8_t>(piece);
    uint32_t expected = size;
    if (!added_.compare_exchange_strong(expected, size + 1, std::memory_order_release,
                                        std::memory_order_relaxed))
      return false;
    nanoseconds_ += pieces_[piece].nanoseconds;
    nanosecondsSinceTold_ += gain;
    return true;
  }

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
