#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <pthread.h>
#include <vector>

#include "device/command.h"
#include "devices/cpu/idle_units.h"
#include "devices/cpu/job.h"
#include "devices/cpu/team.h"

/// Which thread runs what: the data that the threads of a pool share, and the decisions taken on
/// it. What is not atomic or const is guarded by the pool's one lock (pool.h); nothing here blocks,
/// runs a command or wakes a thread. Threads are called, and join and leave jobs, without the lock:
/// on many cores they would stand in line for it longer than a job takes.
namespace quern::cpu {

/// What a worker is called for: to take part in `job`, or to look for what there is where that is
/// null; and before that to call `others` for the same, so that a call reaches many soon.
struct Call {
  Job* job = nullptr;
  Units others;
};

/// The thread of one unit.
struct alignas(64) Worker {
  explicit Worker(uint32_t number) : unit(number) {}
  const uint32_t unit;
  /// Whether there is a call, 1, or none, 0. Waited for while it sleeps.
  std::atomic<uint32_t> isCalled{0};
  // Its thread's own while it is busy, and otherwise for whoever has taken it out of the idle ones:
  Call call;
  bool isStarted = false; ///< or being started
  // Its thread's own:
  bool spinsLong = false;    ///< before it blocks, because it was soon woken the last time
  uint64_t crowdedUntil = 0; ///< other processes want its CPU until then, as far as it knows
  // Guarded by the lock:
  pthread_t thread = {};
  std::vector<uint32_t> cpus; ///< the CPUs it is bound to; empty: any
};

struct Schedule {
  /// Makes the workers, none of them started.
  void addWorkers(uint32_t count);

  std::vector<std::unique_ptr<Worker>> workers; ///< by unit
  /// Those that have handles or something to do, and those that wait to be used again.
  std::vector<std::unique_ptr<Team>> teams, unusedTeams;
  std::vector<std::unique_ptr<Job>> jobs; ///< all that have been made
  Job* freeJobs = nullptr;
  uint32_t nextTeam = 0; ///< where the next search starts, so that no team starves
  /// Commands that were running on other threads when this process was forked.
  std::vector<device::Command*> orphans;

  /// Workers that have nothing to do. Whoever takes one out has to call it. Whoever adds work first
  /// and then finds none knows that every worker will look again.
  IdleUnits idle;
  /// The jobs that threads can join, as many as have room.
  alignas(64) std::array<std::atomic<Job*>, 8> openings = {};
  std::atomic<const Team*> onlyTeam{nullptr}; ///< null where there are several
};

/// What a thread is to do: run `command` alone, make it a job that others can join, or take part in
/// `job`. Empty when `team` is null.
struct Assignment {
  Team* team = nullptr;
  device::Command* command = nullptr; ///< that it runs alone
  Job* job = nullptr;
  bool opens = false; ///< it is the thread that opens the job
  explicit operator bool() const { return team != nullptr; }
};

/// Makes a team of `units` with one handle.
Team& makeTeam(Schedule& schedule, std::vector<uint32_t> units, bool helpersAllowed);
/// Puts the team away when nothing refers to it any more.
void dropIfUnused(Schedule& schedule, Team& team);

/// Finds work for the thread of a unit, or for a helping thread of one team, and counts the thread
/// as active.
Assignment takeAsWorker(Schedule& schedule, uint32_t unit);
Assignment takeAsHelper(Schedule& schedule, Team& team);
/// The same for jobs alone, without the lock.
Assignment joinAsWorker(Schedule& schedule, uint32_t unit);
Assignment joinAsHelper(Schedule& schedule, Team& team);
/// The same for one job, which a worker has been called for.
Assignment joinWhenCalled(Job& job, uint32_t unit);

/// The calling thread begins the command that it runs alone, and has ended it. `running` must stay
/// where it is in between.
void enter(const Assignment& assignment, Running& running);
void leave(const Assignment& assignment, Running& running);

/// Lets other threads find the job, which probably takes `cost` nanoseconds (0: unknown). False,
/// and nothing done, where there are too many jobs. Without the lock, as the next one.
bool publish(Schedule& schedule, Job& job, double cost);
/// No thread is to find it any more.
void withdraw(Schedule& schedule, Job& job);
/// A job's command is ended: it is free for another.
void recycle(Schedule& schedule, Job& job);

/// An idle worker of `team` for a command that waits, if there is one of either. Never more than
/// make the team's threads as many as its units, those counted that watch. Without the lock.
Units takeForCommand(Schedule& schedule, const Team& team);

/// In the child of a fork, where only the calling thread lives, which runs something for `own` and
/// is the one of `worker`, or null: forgets the other threads and collects their commands.
void forgetThreads(Schedule& schedule, const Worker* worker, const Team* own);

} // namespace quern::cpu
