#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <pthread.h>
#include <vector>

#include "device/command.h"
#include "devices/cpu/job.h"

/// Which thread runs what: the data that the threads of a pool share, and the decisions taken on
/// it. Everything here is guarded by the pool's one lock (pool.h) unless it is atomic or const;
/// nothing here blocks, runs a command or wakes a thread.
namespace quern::cpu {

struct Worker;

/// A command that a thread is running; lies on the thread's stack. After a fork the child learns
/// from these which commands died with the other threads.
struct Running {
  /// Null as soon as the command is being ended, because it may be gone then. Written without the
  /// lock by its thread.
  std::atomic<device::Command*> command{nullptr};
  pthread_t thread = {};
  Running* next = nullptr;
  Running** link = nullptr;
};

/// The units of one device or sub-device, and its commands.
struct Team {
  Team(std::vector<uint32_t> teamUnits, uint32_t poolUnits, bool mayHelp);

  const std::vector<uint32_t> units;
  const bool helpersAllowed; ///< false where work must stay on the CPUs that the units are bound to
  /// By the pool's unit: its number in this team, or -1.
  std::vector<int32_t> ordinal;

  bool hasUnit(uint32_t unit) const { return ordinal[unit] >= 0; }
  uint32_t size() const { return static_cast<uint32_t>(units.size()); }

  /// Commands as they were submitted, the latest first; pushed without the lock.
  std::atomic<device::Command*> incoming{nullptr};
  /// Commands submitted and not yet begun. Counted before they can be seen.
  std::atomic<uint32_t> pending{0};
  /// Jobs that take one more thread.
  std::atomic<uint32_t> openJobs{0};
  /// Counts commands that end and threads that leave, for threads that watch.
  std::atomic<uint32_t> changes{0};

  /// High, medium and low priority.
  static constexpr uint32_t ranks = 3;
  /// Commands of one rank in the order of their submission.
  struct Ready {
    device::Command* first = nullptr;
    device::Command* last = nullptr;
  };
  /// By rank, the most urgent first. A thread takes a command of a lower rank only when there is
  /// none of a higher one; nothing that runs is interrupted.
  std::array<Ready, ranks> ready;
  Job* jobs = nullptr; ///< jobs with pieces to claim
  /// Nanoseconds of work in jobs since the last that was worth waking a thread for.
  double unhelped = 0;
  Running* running = nullptr;
  uint32_t active = 0;   ///< threads that run something for this team
  uint32_t watching = 0; ///< helping threads that look for work of this team
  uint32_t handles = 0;  ///< device and queues that refer to this team
};

enum class Phase : uint8_t { NotStarted, Busy, Spinning, Sleeping };

/// The thread of one unit.
struct Worker {
  explicit Worker(uint32_t number) : unit(number) {}
  const uint32_t unit;
  Phase phase = Phase::NotStarted;
  pthread_t thread = {};
  std::vector<uint32_t> cpus; ///< the CPUs it is bound to; empty: any
  // Its thread's own:
  bool spinsLong = false;    ///< before it blocks, because it was soon woken the last time
  uint64_t crowdedUntil = 0; ///< other processes want its CPU until then, as far as it knows
  std::atomic<bool> notified{false};
  std::condition_variable_any wakeUp;
};

struct Schedule {
  std::vector<std::unique_ptr<Worker>> workers; ///< by unit
  std::vector<std::unique_ptr<Team>> teams;
  Job* freeJobs = nullptr;
  uint32_t nextTeam = 0; ///< where the next search starts, so that no team starves
  /// Workers that have nothing to do, those not started included. Readable without the lock:
  /// whoever adds work first and then sees none idle knows that every worker will look again.
  std::atomic<uint32_t> idle{0};
  /// Commands that were running on other threads when this process was forked.
  std::vector<device::Command*> orphans;
};

/// What a thread is to do: run `command` alone, make it a job that others can join, or join `job`.
/// Empty when `team` is null.
struct Assignment {
  Team* team = nullptr;
  device::Command* command = nullptr; ///< null when joining
  bool share = false;                 ///< make `command` a job
  Job* job = nullptr;                 ///< when sharing a free job, or null where there was none
  explicit operator bool() const { return team != nullptr; }
};

/// Finds work for the thread of a unit, or for a helping thread of one team, and counts the thread
/// as active.
Assignment takeAsWorker(Schedule& schedule, uint32_t unit);
Assignment takeAsHelper(Schedule& schedule, Team& team);

/// The calling thread begins what it was assigned, and has done it. `running` must stay where it is
/// in between.
void enter(const Assignment& assignment, Running& running);
void leave(const Assignment& assignment, Running& running);

/// Deletes the team when nothing refers to it any more.
void dropIfUnused(Schedule& schedule, Team& team);

/// Lets other threads find the job, which probably takes `cost` nanoseconds (0: unknown), and no
/// longer.
void publish(Team& team, Job& job, double cost);
void withdraw(Team& team, Job& job);
/// A thread that had joined the job works on it no more.
void leaveJob(Team& team, Job& job);
/// The job has turned out to be longer than it looked: any thread may join.
void openToAll(Team& team, Job& job);
void recycle(Schedule& schedule, Job& job);

/// Other threads that would be of use beside those that run something for `team` already.
uint32_t usefulHelp(const Team& team);

/// A worker that is no longer idle and does not know it yet.
struct Wake {
  Worker* worker;
  Phase phase; ///< what it was doing: starting, notifying or nothing is needed
};

/// Some of these; each may wake others. Needs no memory that might not be had: what was taken from
/// the schedule, or chosen, would be lost.
class Wakes {
public:
  static constexpr uint32_t most = 4;
  void add(Wake wake) { wakes_[count_++] = wake; }
  const Wake* begin() const { return wakes_.data(); }
  const Wake* end() const { return wakes_.data() + count_; }

private:
  std::array<Wake, most> wakes_;
  uint32_t count_ = 0;
};

/// Up to `count` idle workers of `team`; the caller wakes them after it has released the lock.
/// Never more than make the team's threads as many as its units, those counted that are on their
/// way or watch. Only workers that spin where all there is to do are jobs that are not worth waking
/// others for: those would find them done.
Wakes chooseIdle(Schedule& schedule, Team& team, uint32_t count);
/// The calling worker has nothing to do.
void beginRest(Schedule& schedule, Worker& worker);
/// It has again, or was chosen: `worker` is busy.
void endRest(Schedule& schedule, Worker& worker);

/// In the child of a fork, where only the calling thread lives: forgets the other threads and
/// collects their commands.
void forgetThreads(Schedule& schedule);

} // namespace quern::cpu
