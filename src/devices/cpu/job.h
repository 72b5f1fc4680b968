#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "device/command.h"
#include "devices/cpu/work_run.h"

namespace quern::cpu {

/// Pieces that one thread takes at a time.
struct Claim {
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// A command that several threads run together, in one stage or several. Its pieces are dealt out
/// as one range for each thread; a thread takes from its own range, so that it sees the same part
/// of the data in every launch, and when that is empty from the others'. Recycled by the scheduler.
/// Members without comment are guarded by the scheduler's lock.
class Job {
public:
  explicit Job(uint32_t mostThreads) : ranges_(mostThreads) {}
  /// Prepares `command`'s work for up to `threads` threads, no more than it was made for, or its
  /// first stage, before which may come what one thread does alone.
  void open(device::Command& command, uint32_t threads);
  /// Likewise for the next stage, when every piece has run; false when there is none.
  bool openNext();

  /// Takes up to `wanted` pieces, fewer when the range that they come from is nearly empty. `home`
  /// is the thread's own range. Empty when there are none left. Thread-safe.
  std::optional<Claim> claim(uint32_t home, uint64_t wanted);
  /// Runs claimed pieces. Thread-safe.
  void run(const Claim& claim);
  /// Time spent by a thread on its pieces. Thread-safe.
  void addTime(uint64_t nanoseconds) { time_.fetch_add(nanoseconds, std::memory_order_relaxed); }

  uint64_t pieces() const { return run_->pieces(); }
  double pieceCost() const { return run_->pieceCost(); }
  /// What all of it probably costs in nanoseconds; 0 when nothing is known.
  double cost() const { return pieceCost() * static_cast<double>(pieces()); }
  uint32_t ranges() const { return rangeCount_; }
  /// Whether one more thread would probably make it shorter: each that joins costs time, too.
  bool takesOneMore() const { return participants < mostParticipants_; }
  /// It is not as small as it looked: any thread may join.
  void takeAll() { mostParticipants_ = threads_; }
  /// For so many nanoseconds a thread works on it if it is what it looked like; none where any
  /// thread may join from the beginning. Thread-safe.
  std::optional<double> expectedTime() const { return expectedTime_; }

  /// After every piece has run: what the command's work ends with.
  cl_int close();

  device::Command* command = nullptr;
  uint64_t started = 0; ///< nanoseconds of `now`
  uint32_t participants = 0;
  bool exhausted = false; ///< every piece is claimed
  bool listed = false;    ///< other threads can find it
  bool wakes = false;     ///< worth waking threads for that sleep
  Job* next = nullptr;    ///< in the list that it is on

private:
  void dealOut();

  struct alignas(64) Range {
    std::atomic<uint64_t> next{0};
    uint64_t end = 0;
  };
  std::optional<WorkRun> run_;
  std::optional<TimeLimit> limit_; ///< of the launch
  std::vector<Range> ranges_;
  uint32_t threads_ = 0, rangeCount_ = 0, mostParticipants_ = UINT32_MAX;
  std::optional<double> expectedTime_;
  uint64_t leastWanted_ = 1; ///< pieces of a claim
  std::atomic<cl_int> status_{CL_SUCCESS};
  std::atomic<uint64_t> time_{0};
};

} // namespace quern::cpu
