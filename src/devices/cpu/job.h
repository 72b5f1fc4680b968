#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "device/command.h"
#include "devices/cpu/team.h"
#include "devices/cpu/work_run.h"

namespace quern::cpu {

/// Pieces that one thread takes at a time.
struct Claim {
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// A command that several threads run together, in one stage or several. Its pieces are dealt out
/// as one range for each thread; a thread takes from its own range, so that it sees the same part
/// of the data in every launch, and when that is empty from the others'. Threads join and leave
/// without a lock. Recycled by the scheduler, and never deleted: whoever has ever seen it may ask
/// whether it can be joined. Members without comment are for the thread that opens it.
class Job {
public:
  explicit Job(uint32_t mostThreads) : ranges_(mostThreads) {}
  /// Prepares the work of `command` for up to `threads` threads of `newTeam`, no more than it was
  /// made for, or its first stage, before which may come what one thread does alone. The calling
  /// thread is the only participant until it lets others in.
  void open(Team& newTeam, uint32_t threads);
  /// Likewise for the next stage, when every piece has run; false when there is none.
  bool openNext();
  /// After every piece of the last stage: what the command's work ends with.
  cl_int close();

  // What follows is thread-safe.

  /// What a thread that might join is told beforehand.
  struct Invitation {
    uint64_t participation;
    Team* team;
  };
  /// Empty where no thread is wanted.
  std::optional<Invitation> invitation() const;
  /// The calling thread takes part. False where it is not wanted any more or others were faster.
  bool join(const Invitation& invitation);
  /// The calling thread takes part no more. True where it was the last, and nothing is left.
  bool leave();
  /// Lets as many threads in as make it shorter: each that joins costs time, too.
  void letIn();
  /// It is not as small as it looked: any thread may join.
  void letAllIn();
  /// Nothing is left to claim, so that nobody joins any more. True for the first call of a stage.
  bool shut();
  /// Threads that it would take now.
  uint32_t vacancies() const {
    const uint64_t participation = participation_.load();
    return wantsThreads(participation) ? mostOf(participation) - countOf(participation) : 0;
  }
  uint32_t participants() const { return countOf(participation_.load()); }

  /// Takes up to `wanted` pieces, fewer when the range that they come from is nearly empty. `home`
  /// is the thread's own range. Empty when there are none left.
  std::optional<Claim> claim(uint32_t home, uint64_t wanted);
  /// Runs claimed pieces.
  void run(const Claim& claim);
  /// Time spent by a thread on its pieces.
  void addTime(uint64_t nanoseconds) { time_.fetch_add(nanoseconds, std::memory_order_relaxed); }
  /// What a piece probably costs in nanoseconds; 0 when nothing is known. For anybody.
  double pieceCost() const { return pieceCost_.load(std::memory_order_relaxed); }
  Team& team() const { return *team_.load(std::memory_order_relaxed); }

  // For participants.
  uint64_t pieces() const { return run_->pieces(); }
  /// What all of it probably costs in nanoseconds; 0 when nothing is known.
  double cost() const { return pieceCost() * static_cast<double>(pieces()); }
  uint32_t ranges() const { return rangeCount_; }
  /// For so many nanoseconds a thread works on it if it is what it looked like; none where any
  /// thread may join from the beginning.
  std::optional<double> expectedTime() const { return expectedTime_; }

  device::Command* command = nullptr; ///< null where its command has ended or is being ended
  uint64_t started = 0;               ///< nanoseconds of `now`
  std::atomic<bool> wakes = false;    ///< worth waking threads for that sleep
  Job* next = nullptr; ///< among those that are free, guarded by the scheduler's lock

private:
  /// Who takes part in a stage, in one word: how many threads, how many may at most, and which of
  /// all stages that the job has ever had, so that a thread joins only what it was invited to.
  static constexpr uint64_t oneThread = 1, oneOfMost = 1 << 16, oneStage = uint64_t{1} << 32;
  static uint32_t countOf(uint64_t participation) { return participation & 0xffff; }
  static uint32_t mostOf(uint64_t participation) { return participation >> 16 & 0xffff; }
  static bool wantsThreads(uint64_t participation) {
    return countOf(participation) < mostOf(participation);
  }
  /// False where nobody may join any more.
  bool setMost(uint32_t most);
  void dealOut();

  struct alignas(64) Range {
    std::atomic<uint64_t> next{0};
    uint64_t end = 0;
  };
  std::optional<WorkRun> run_;
  std::optional<TimeLimit> limit_; ///< of the launch
  std::vector<Range> ranges_;
  uint32_t threads_ = 0, rangeCount_ = 0, mostUseful_ = 0;
  std::optional<double> expectedTime_;
  uint64_t leastWanted_ = 1; ///< pieces of a claim
  std::atomic<double> pieceCost_{0};
  std::atomic<Team*> team_{nullptr};
  std::atomic<cl_int> status_{CL_SUCCESS};
  alignas(64) std::atomic<uint64_t> participation_{0};
  alignas(64) std::atomic<uint64_t> time_{0};
};

} // namespace quern::cpu
