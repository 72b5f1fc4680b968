#include "devices/cpu/schedule.h"

#include <algorithm>

namespace quern::cpu {

namespace {

/// A helping thread looks at so many ready commands for one that suits it.
constexpr uint32_t helperSearch = 8;
/// A helping thread takes nothing that may keep it longer than this many nanoseconds: it waits for
/// something else.
constexpr double helperLimit = 1'000'000;

/// When small jobs have had this many nanoseconds of work in all, the next wakes threads that
/// sleep, for the sake of those that follow: what waking costs is small beside that.
constexpr double unhelpedWorthWaking = 100'000;

enum class Taker { Worker, Helper };

bool isFull(const Team& team) {
  return team.active >= team.size();
}

/// A helper may run a small command of a team whose units are all busy: it would only wait
/// otherwise, and what it waits for must not depend on a kernel that never ends.
bool suitsHelper(const Team& team, const device::Work& work, double cost, bool share) {
  return share ? !isFull(team) && estimatePieceCost(work) <= helperLimit : cost <= helperLimit;
}

/// Moves what was submitted to the end of the ready commands, oldest first.
void collectIncoming(Team& team) {
  if (!team.incoming.load())
    return;
  device::Command* latest = team.incoming.exchange(nullptr);
  device::Command* first = nullptr;
  while (latest) {
    device::Command* const earlier = latest->next;
    latest->next = first;
    first = latest;
    latest = earlier;
  }
  while (first) {
    device::Command* const later = first->next;
    Team::Ready& ready = team.ready[first->rank];
    (ready.last ? ready.last->next : ready.first) = first;
    ready.last = first;
    first->next = nullptr;
    first = later;
  }
}

/// A command, and whether several threads are to run it.
struct Taken {
  device::Command* command = nullptr;
  bool share = false;
};

/// Takes the oldest command of a rank that suits the thread.
Taken popReady(Team& team, Team::Ready& ready, Taker taker) {
  device::Command* before = nullptr;
  device::Command* command = ready.first;
  for (uint32_t i = 0; command && i < helperSearch; ++i) {
    const device::Work& work = *command->work;
    const double cost = estimateCost(work);
    const bool share = team.size() > 1 && isWorthSharing(work, cost);
    if (taker == Taker::Worker || suitsHelper(team, work, cost, share)) {
      (before ? before->next : ready.first) = command->next;
      if (ready.last == command)
        ready.last = before;
      command->next = nullptr;
      team.pending.fetch_sub(1);
      return {.command = command, .share = share};
    }
    before = command;
    command = command->next;
  }
  return {};
}

/// Takes the oldest command that suits the thread, of the most urgent rank that has one.
Taken popReady(Team& team, Taker taker) {
  collectIncoming(team);
  for (Team::Ready& ready : team.ready)
    if (const Taken taken = popReady(team, ready, taker); taken.command)
      return taken;
  return {};
}

Job* popFreeJob(Schedule& schedule) {
  Job* const job = schedule.freeJobs;
  if (job)
    schedule.freeJobs = job->next;
  return job;
}

/// One that takes one more thread, or null.
Job* openJob(const Team& team) {
  Job* job = team.jobs;
  while (job && !job->takesOneMore())
    job = job->next;
  return job;
}

void join(Team& team, Job& job) {
  ++job.participants;
  if (!job.takesOneMore())
    team.openJobs.fetch_sub(1);
}

Assignment takeFrom(Schedule& schedule, Team& team, Taker taker) {
  if (taker == Taker::Worker && isFull(team))
    return {};
  Job* const job = openJob(team);
  if (job && !isFull(team) &&
      (taker == Taker::Worker || (job->pieceCost() > 0 && job->pieceCost() <= helperLimit))) {
    join(team, *job);
    ++team.active;
    return {.team = &team, .job = job};
  }
  const Taken taken = popReady(team, taker);
  if (!taken.command)
    return {};
  ++team.active;
  return {.team = &team,
          .command = taken.command,
          .share = taken.share,
          .job = taken.share ? popFreeJob(schedule) : nullptr};
}

void unlink(Running& running) {
  *running.link = running.next;
  if (running.next)
    running.next->link = running.link;
}

/// Whether there is more to do than small jobs, for which threads that sleep would come too late.
bool isWorthWaking(const Team& team) {
  if (!team.jobs || team.pending.load() > 0)
    return true;
  for (const Job* job = team.jobs; job; job = job->next)
    if (job->wakes)
      return true;
  return false;
}

bool isIdle(const Worker& worker) {
  return worker.phase != Phase::Busy && !worker.notified.load(std::memory_order_relaxed);
}

} // namespace

Team::Team(std::vector<uint32_t> teamUnits, uint32_t poolUnits, bool mayHelp)
    : units(std::move(teamUnits)), helpersAllowed(mayHelp), ordinal(poolUnits, -1) {
  for (size_t i = 0; i < units.size(); ++i)
    ordinal[units[i]] = static_cast<int32_t>(i);
}

Assignment takeAsWorker(Schedule& schedule, uint32_t unit) {
  const size_t count = schedule.teams.size();
  for (size_t i = 0; i < count; ++i) {
    const size_t index = (schedule.nextTeam + i) % count;
    Team& team = *schedule.teams[index];
    if (!team.hasUnit(unit))
      continue;
    if (const Assignment assignment = takeFrom(schedule, team, Taker::Worker)) {
      schedule.nextTeam = static_cast<uint32_t>(index + 1);
      return assignment;
    }
  }
  return {};
}

Assignment takeAsHelper(Schedule& schedule, Team& team) {
  return team.helpersAllowed ? takeFrom(schedule, team, Taker::Helper) : Assignment();
}

void enter(const Assignment& assignment, Running& running) {
  Team& team = *assignment.team;
  running.command.store(assignment.command ? assignment.command : assignment.job->command);
  running.thread = pthread_self();
  running.next = team.running;
  running.link = &team.running;
  if (running.next)
    running.next->link = &running.next;
  team.running = &running;
}

void leave(const Assignment& assignment, Running& running) {
  unlink(running);
  --assignment.team->active;
  assignment.team->changes.fetch_add(1);
}

void dropIfUnused(Schedule& schedule, Team& team) {
  if (team.handles > 0 || team.active > 0 || team.watching > 0 || team.pending.load() > 0 ||
      team.jobs)
    return;
  std::erase_if(schedule.teams, [&](const auto& other) { return other.get() == &team; });
}

void publish(Team& team, Job& job, double cost) {
  job.listed = true;
  team.unhelped += cost;
  job.wakes = cost == 0 || cost >= costWorthWaking || team.unhelped >= unhelpedWorthWaking;
  if (job.wakes)
    team.unhelped = 0;
  job.next = team.jobs;
  team.jobs = &job;
  if (job.takesOneMore())
    team.openJobs.fetch_add(1);
}

void withdraw(Team& team, Job& job) {
  if (!job.listed)
    return;
  Job** link = &team.jobs;
  while (*link != &job)
    link = &(*link)->next;
  *link = job.next;
  job.listed = false;
  if (job.takesOneMore())
    team.openJobs.fetch_sub(1);
}

void leaveJob(Team& team, Job& job) {
  const bool wasOpen = job.takesOneMore();
  --job.participants;
  if (job.listed && !wasOpen)
    team.openJobs.fetch_add(1);
}

void openToAll(Team& team, Job& job) {
  const bool wasOpen = job.takesOneMore();
  job.takeAll();
  job.wakes = true;
  if (job.listed && !wasOpen && job.takesOneMore())
    team.openJobs.fetch_add(1);
}

void recycle(Schedule& schedule, Job& job) {
  job.next = schedule.freeJobs;
  schedule.freeJobs = &job;
}

uint32_t usefulHelp(const Team& team) {
  // Each thread that joins a job wakes two more, so that many start soon. A command that waits is
  // always worth a thread: nobody knows how long those that run will take.
  return openJob(team) ? 2 : team.pending.load() > 0 ? 1 : 0;
}

Wakes chooseIdle(Schedule& schedule, Team& team, uint32_t count) {
  Wakes chosen;
  const bool mayWake = isWorthWaking(team);
  uint32_t taken = team.active + team.watching;
  for (uint32_t unit : team.units)
    taken += schedule.workers[unit]->notified.load(std::memory_order_relaxed);
  uint32_t wanted = std::min({count, Wakes::most, team.size() - std::min(taken, team.size())});
  // Those that need no waking first.
  for (const Phase phase : {Phase::Spinning, Phase::Sleeping, Phase::NotStarted}) {
    if (phase != Phase::Spinning && !mayWake)
      break;
    for (size_t i = 0; i < team.units.size() && wanted > 0; ++i) {
      Worker& worker = *schedule.workers[team.units[i]];
      if (worker.phase != phase || !isIdle(worker))
        continue;
      chosen.add({&worker, phase});
      if (phase == Phase::NotStarted)
        worker.phase = Phase::Busy;
      else
        worker.notified.store(true);
      schedule.idle.fetch_sub(1);
      --wanted;
    }
  }
  return chosen;
}

void beginRest(Schedule& schedule, Worker& worker) {
  worker.phase = Phase::Spinning;
  schedule.idle.fetch_add(1);
}

void endRest(Schedule& schedule, Worker& worker) {
  worker.phase = Phase::Busy;
  if (!worker.notified.exchange(false))
    schedule.idle.fetch_sub(1);
}

void forgetThreads(Schedule& schedule) {
  const pthread_t self = pthread_self();
  for (auto& team : schedule.teams) {
    team->watching = 0; // this thread does not watch: it forks
    for (Running* running = team->running; running; running = running->next) {
      if (pthread_equal(running->thread, self))
        continue;
      unlink(*running);
      --team->active;
      device::Command* const command = running->command.load();
      if (command && std::find(schedule.orphans.begin(), schedule.orphans.end(), command) ==
                         schedule.orphans.end())
        schedule.orphans.push_back(command);
    }
    // Pieces that the other threads had claimed will never be run.
    for (Job* job = team->jobs; job; job = job->next)
      if (job->participants > 0)
        withdraw(*team, *job);
  }
  for (auto& worker : schedule.workers) {
    if (worker->phase == Phase::NotStarted || pthread_equal(worker->thread, self))
      continue;
    if (!isIdle(*worker))
      schedule.idle.fetch_add(1);
    auto fresh = std::make_unique<Worker>(worker->unit);
    fresh->cpus = worker->cpus;
    // The old one's condition variable still counts waiters that are gone: it must never be
    // destroyed.
    [[maybe_unused]] Worker* const abandoned = worker.release();
    worker = std::move(fresh);
  }
}

} // namespace quern::cpu
