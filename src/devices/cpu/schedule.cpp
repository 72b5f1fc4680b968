#include "devices/cpu/schedule.h"

#include <algorithm>
#include <new>
#include <utility>

namespace quern::cpu {

namespace {

/// A helping thread looks at so many ready commands for one that suits it.
constexpr uint32_t helperSearch = 8;
/// A helping thread takes nothing that may keep it longer than this many nanoseconds: it waits for
/// something else.
constexpr double helperLimit = 1'000'000;

/// When small jobs have had this many nanoseconds of work in all, the next wakes threads that
/// sleep, for the sake of those that follow: what waking costs is small beside that.
constexpr uint64_t unhelpedWorthWaking = 100'000;

enum class Taker { Worker, Helper };

/// A helper may run a small command of a team whose units are all busy: it would only wait
/// otherwise, and what it waits for must not depend on a kernel that never ends.
bool suitsHelper(const Team& team, const device::Work& work, double cost, bool share) {
  return share ? !team.isFull() && estimatePieceCost(work) <= helperLimit : cost <= helperLimit;
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

/// For a command of `team`. Null where there is no memory for one.
Job* takeFreeJob(Schedule& schedule, device::Command& command) {
  Job* job = schedule.freeJobs;
  if (job) {
    schedule.freeJobs = job->next;
  } else {
    try {
      const auto units = static_cast<uint32_t>(schedule.workers.size());
      job = schedule.jobs.emplace_back(std::make_unique<Job>(units)).get();
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
  job->command = &command;
  return job;
}

bool suitsHelper(const Job& job) {
  return job.pieceCost() > 0 && job.pieceCost() <= helperLimit;
}

/// Joins `job` if `suits` says that the thread may.
template <typename Suits> Assignment joinIf(Job& job, Suits suits) {
  while (const auto invitation = job.invitation()) {
    Team& team = *invitation->team;
    if (!suits(job, team) || team.isFull())
      break;
    if (job.join(*invitation)) {
      team.active.fetch_add(1);
      return {.team = &team, .job = &job};
    }
  }
  return {};
}

template <typename Suits> Assignment joinOne(Schedule& schedule, Suits suits) {
  for (const std::atomic<Job*>& opening : schedule.openings)
    if (Job* const job = opening.load())
      if (const Assignment assignment = joinIf(*job, suits))
        return assignment;
  return {};
}

Assignment takeCommand(Schedule& schedule, Team& team, Taker taker) {
  const Taken taken = popReady(team, taker);
  if (!taken.command)
    return {};
  team.active.fetch_add(1);
  if (Job* const job = taken.share ? takeFreeJob(schedule, *taken.command) : nullptr)
    return {.team = &team, .job = job, .opens = true};
  return {.team = &team, .command = taken.command};
}

void unlink(Running& running) {
  *running.link = running.next;
  if (running.next)
    running.next->link = running.link;
}

} // namespace

Team::Team(std::vector<uint32_t> teamUnits, uint32_t poolUnits, bool mayHelp)
    : units(std::move(teamUnits)), helpersAllowed(mayHelp), ordinal(poolUnits, -1),
      unitSet(poolUnits) {
  for (size_t i = 0; i < units.size(); ++i) {
    ordinal[units[i]] = static_cast<int32_t>(i);
    unitSet.add(units[i]);
  }
}

void Schedule::addWorkers(uint32_t count) {
  idle = IdleUnits(count);
  for (uint32_t unit = 0; unit < count; ++unit) {
    workers.push_back(std::make_unique<Worker>(unit));
    idle.addResting(unit);
  }
}

namespace {

void noteTeams(Schedule& schedule) {
  schedule.onlyTeam.store(schedule.teams.size() == 1 ? schedule.teams.front().get() : nullptr);
}

} // namespace

Team& makeTeam(Schedule& schedule, std::vector<uint32_t> units, bool helpersAllowed) {
  const auto unused =
      std::find_if(schedule.unusedTeams.begin(), schedule.unusedTeams.end(), [&](const auto& team) {
        return team->units == units && team->helpersAllowed == helpersAllowed;
      });
  schedule.teams.reserve(schedule.teams.size() + 1);
  if (unused == schedule.unusedTeams.end()) {
    const auto poolUnits = static_cast<uint32_t>(schedule.workers.size());
    schedule.teams.push_back(std::make_unique<Team>(std::move(units), poolUnits, helpersAllowed));
    // So that to put it away needs no memory.
    schedule.unusedTeams.reserve(schedule.unusedTeams.size() + schedule.teams.size());
  } else {
    schedule.teams.push_back(std::move(*unused));
    schedule.unusedTeams.erase(unused);
  }
  Team& team = *schedule.teams.back();
  team.handles.store(1);
  noteTeams(schedule);
  return team;
}

void dropIfUnused(Schedule& schedule, Team& team) {
  if (team.handles.load() > 0 || team.active.load() > 0 || team.watching.load() > 0 ||
      team.pending.load() > 0 || team.openJobs.load() > 0)
    return;
  const auto position = std::find_if(schedule.teams.begin(), schedule.teams.end(),
                                     [&](const auto& other) { return other.get() == &team; });
  if (position == schedule.teams.end())
    return;
  schedule.unusedTeams.push_back(std::move(*position));
  schedule.teams.erase(position);
  noteTeams(schedule);
}

Assignment takeAsWorker(Schedule& schedule, uint32_t unit) {
  const size_t count = schedule.teams.size();
  for (size_t i = 0; i < count; ++i) {
    const size_t index = (schedule.nextTeam + i) % count;
    Team& team = *schedule.teams[index];
    if (!team.hasUnit(unit) || team.isFull())
      continue;
    Assignment assignment =
        joinOne(schedule, [&](const Job&, const Team& other) { return &other == &team; });
    if (!assignment)
      assignment = takeCommand(schedule, team, Taker::Worker);
    if (assignment) {
      schedule.nextTeam = static_cast<uint32_t>(index + 1);
      return assignment;
    }
  }
  return {};
}

Assignment takeAsHelper(Schedule& schedule, Team& team) {
  if (!team.helpersAllowed)
    return {};
  const Assignment assignment = joinAsHelper(schedule, team);
  return assignment ? assignment : takeCommand(schedule, team, Taker::Helper);
}

Assignment joinAsWorker(Schedule& schedule, uint32_t unit) {
  return joinOne(schedule, [&](const Job&, const Team& team) { return team.hasUnit(unit); });
}

Assignment joinWhenCalled(Job& job, uint32_t unit) {
  return joinIf(job, [&](const Job&, const Team& team) { return team.hasUnit(unit); });
}

Assignment joinAsHelper(Schedule& schedule, Team& team) {
  if (!team.helpersAllowed || team.openJobs.load(std::memory_order_relaxed) <= 0)
    return {};
  return joinOne(schedule, [&](const Job& job, const Team& other) {
    return &other == &team && suitsHelper(job);
  });
}

void enter(const Assignment& assignment, Running& running) {
  Team& team = *assignment.team;
  running.command.store(assignment.command);
  running.thread = pthread_self();
  running.next = team.running;
  running.link = &team.running;
  if (running.next)
    running.next->link = &running.next;
  team.running = &running;
}

void leave(const Assignment& assignment, Running& running) {
  unlink(running);
  assignment.team->active.fetch_sub(1);
  assignment.team->changes.fetch_add(1);
}

bool publish(Schedule& schedule, Job& job, double cost) {
  Team& team = job.team();
  const uint64_t unhelped = team.unhelped.load() + static_cast<uint64_t>(cost);
  const bool wakes = cost == 0 || cost >= costWorthWaking || unhelped >= unhelpedWorthWaking;
  team.unhelped.store(wakes ? 0 : unhelped);
  job.wakes.store(wakes);
  for (std::atomic<Job*>& opening : schedule.openings) {
    Job* none = nullptr;
    if (opening.load(std::memory_order_relaxed) == nullptr &&
        opening.compare_exchange_strong(none, &job)) {
      job.letIn();
      return true;
    }
  }
  return false;
}

void withdraw(Schedule& schedule, Job& job) {
  if (!job.shut())
    return;
  for (std::atomic<Job*>& opening : schedule.openings)
    if (opening.load(std::memory_order_relaxed) == &job)
      opening.store(nullptr);
}

void recycle(Schedule& schedule, Job& job) {
  job.next = schedule.freeJobs;
  schedule.freeJobs = &job;
}

Units takeForCommand(Schedule& schedule, const Team& team) {
  // A command that waits is always worth a thread: nobody knows how long those that run will take.
  if (team.pending.load() == 0 || team.active.load() + team.watching.load() >= team.size())
    return {};
  const Units spinning = schedule.idle.takeSpinning(1, team.unitSet);
  return spinning.isEmpty() ? schedule.idle.takeResting(1, team.unitSet) : spinning;
}

void forgetThreads(Schedule& schedule, const Worker* worker, const Team* own) {
  const pthread_t self = pthread_self();
  const auto orphan = [&](device::Command* command) {
    if (command)
      schedule.orphans.push_back(command);
  };
  for (const auto& team : schedule.teams) {
    team->watching.store(0); // this thread does not watch: it forks
    team->active.store(team.get() == own ? 1 : 0);
    team->openJobs.store(0);
    for (Running* running = team->running; running; running = running->next) {
      if (pthread_equal(running->thread, self))
        continue;
      unlink(*running);
      orphan(running->command.load());
    }
  }
  // Pieces that the other threads had claimed will never be run.
  for (std::atomic<Job*>& opening : schedule.openings)
    opening.store(nullptr);
  for (const auto& job : schedule.jobs)
    orphan(std::exchange(job->command, nullptr));
  const auto count = static_cast<uint32_t>(schedule.workers.size());
  schedule.idle = IdleUnits(count);
  for (auto& other : schedule.workers) {
    if (other.get() == worker)
      continue;
    auto fresh = std::make_unique<Worker>(other->unit);
    fresh->cpus = std::move(other->cpus);
    other = std::move(fresh);
    schedule.idle.addResting(other->unit);
  }
}

} // namespace quern::cpu
