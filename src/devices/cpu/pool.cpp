#include "devices/cpu/pool.h"

#include <algorithm>
#include <cfenv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>
#include <sched.h>
#include <xmmintrin.h>

#include "base/log.h"
#include "devices/cpu/float_environment.h"
#include "trace/trace.h"

namespace quern::cpu {

namespace {

/// A worker that has run out of work spins for a sign of more before it blocks, because waking it
/// costs the thread that does some ten microseconds, and it then comes late for a small launch.
/// For the first of these times it keeps its CPU, after that other threads may have it.
constexpr uint64_t eagerSpinNs = 3'000, spinNs = 200'000;
/// A worker that has then blocked for no longer than this spins for so long the next time: the
/// program does something of its own between launches.
constexpr uint64_t longSpinNs = 2'000'000;
/// A worker that got its CPU back later than this has lost it to another process, and need not
/// offer it for a while: it blocks at once, and whoever wakes it gets it back.
constexpr uint64_t lostCpuNs = 200'000, crowdedNs = 50'000'000;
/// So long a helping thread watches others end what it waits for, or leave it a part, before it
/// blocks: to block and be woken costs about as much.
constexpr uint64_t watchNs = 20'000;
/// A helping thread leaves a job after about this long, to see whether what it waits for has ended.
constexpr uint64_t helperBudgetNs = 100'000;
/// A job that takes a thread so many times as long as it should is not what it looked like.
constexpr double surprise = 4;
/// Pieces are claimed in batches that take between these times.
constexpr uint64_t shortBatchNs = 25'000, longBatchNs = 100'000;
/// So many workers are woken at a time: each wakes as many when it joins.
constexpr uint32_t mostWoken = 2;
/// A worker is woken when this many small commands have come together.
constexpr uint32_t batchOfCommands = 64;

/// So many small commands that each make the next one ready run one after the other, before the
/// thread looks what else there is.
constexpr uint32_t mostInARow = 64;

/// What the calling thread is doing for a pool.
struct CurrentThread {
  Worker* worker = nullptr;             ///< whose thread it is
  Team* team = nullptr;                 ///< the team that it is running something for
  Team* helped = nullptr;               ///< the same where it is a helper
  Team* ending = nullptr;               ///< the team of a small command that it is ending
  Running* running = nullptr;           ///< that command's
  device::Command* following = nullptr; ///< what its end made ready; runs next

  bool isInside() const { return worker || helped; }
  /// Whether the thread will look for this team's work again before it does anything else.
  bool serves(const Team& team) const {
    return worker ? team.hasUnit(worker->unit) : helped == &team;
  }
};

CurrentThread& currentThread() {
  static thread_local CurrentThread thread;
  return thread;
}

cpu_set_t* makeCpuSet(const std::vector<uint32_t>& cpus, size_t& bytes) {
  const uint32_t highest = *std::max_element(cpus.begin(), cpus.end());
  cpu_set_t* const set = CPU_ALLOC(highest + 1);
  bytes = CPU_ALLOC_SIZE(highest + 1);
  CPU_ZERO_S(bytes, set);
  for (uint32_t cpu : cpus)
    CPU_SET_S(cpu, bytes, set);
  return set;
}

void bindThread(pthread_t thread, const std::vector<uint32_t>& cpus) {
  if (cpus.empty())
    return;
  size_t bytes = 0;
  cpu_set_t* const set = makeCpuSet(cpus, bytes);
  if (pthread_setaffinity_np(thread, bytes, set) != 0)
    log::warning("a worker thread cannot be bound to the CPUs of its sub-device");
  CPU_FREE(set);
}

/// Tells the timeline that the calling thread has run `work`, so many times.
void traceWork(const char* category, const device::Work& work, uint64_t start, uint64_t end,
               uint64_t times = 1) {
  if (trace::isOn()) [[unlikely]]
    trace::record(trace::Slice{.category = category,
                               .name = nameOf(work),
                               .started = start,
                               .ended = end,
                               .argument = {"times", times}});
}

Pool* thePool = nullptr;

} // namespace

/// Keeps the schedule whole over a fork: no other thread is in the middle of changing it.
struct ForkHandlers {
  static inline std::optional<MutexProtected<Schedule>::Guard> guard;

  static void prepare() { guard.emplace(thePool->schedule_.lock()); }
  static void parent() { guard.reset(); }
  static void child() {
    const CurrentThread& thread = currentThread();
    forgetThreads(**guard, thread.worker, thread.team);
    thePool->hasOrphans_.store(!(*guard)->orphans.empty());
    guard.reset();
  }
};

Pool::Pool(uint32_t units) : shared_(*schedule_.lock()) {
  shared_.addWorkers(units);
  thePool = this;
  pthread_atfork(ForkHandlers::prepare, ForkHandlers::parent, ForkHandlers::child);
}

Team& Pool::makeTeam(std::vector<uint32_t> units, bool helpersAllowed) {
  return cpu::makeTeam(*schedule_.lock(), std::move(units), helpersAllowed);
}

void Pool::addHandle(Team& team) {
  team.handles.fetch_add(1);
}

void Pool::dropHandle(Team& team) {
  flush(team); // nobody else may be left to do it
  auto schedule = schedule_.lock();
  team.handles.fetch_sub(1);
  dropIfUnused(*schedule, team);
}

void Pool::bind(uint32_t unit, std::vector<uint32_t> cpus) {
  auto schedule = schedule_.lock();
  Worker& worker = *schedule->workers[unit];
  worker.cpus = std::move(cpus);
  if (worker.thread)
    bindThread(worker.thread, worker.cpus);
}

void Pool::submit(Team& team, device::Command& command) {
  if (CurrentThread& own = currentThread(); own.ending == &team && !own.following &&
                                            team.pending.load(std::memory_order_relaxed) == 0 &&
                                            estimateCost(*command.work) <= costWorthWaking) {
    own.following = &command;
    own.running->command.store(&command, std::memory_order_relaxed);
    return;
  }
  const uint32_t pending = team.pending.fetch_add(1) + 1;
  command.next = team.incoming.load(std::memory_order_relaxed);
  // Decided before the push, because the command may have ended right after it.
  const CurrentThread& thread = currentThread();
  const bool needsThread =
      !thread.serves(team) && (thread.isInside() || pending % batchOfCommands == 0 ||
                               estimateCost(*command.work) > costWorthWaking);
  while (!team.incoming.compare_exchange_weak(command.next, &command)) {
  }
  if (needsThread)
    wakeFor(team);
}

void Pool::flush(Team& team) {
  if (hasOrphans_.load(std::memory_order_relaxed))
    endOrphans();
  if (!currentThread().serves(team))
    wakeFor(team);
}

void Pool::grew(Team& team) {
  // A thread that has begun the command goes on with what was added.
  if (!currentThread().serves(team))
    wakeFor(team);
}

bool Pool::help(Team& team) {
  if (hasOrphans_.load(std::memory_order_relaxed))
    endOrphans();
  CurrentThread& thread = currentThread();
  if (thread.isInside())
    return false;
  Assignment assignment;
  Running running;
  if (team.pending.load() > 0) {
    auto schedule = schedule_.lock();
    assignment = takeAsHelper(*schedule, team);
    if (assignment.command)
      enter(assignment, running);
  } else {
    assignment = joinAsHelper(shared_, team);
  }
  // There may be more, or something that is not for helpers.
  wakeFor(team);
  if (!assignment)
    return watch(team); // another thread was faster, and may share what it took
  thread.helped = &team;
  run(assignment, running);
  thread.helped = nullptr;
  if (assignment.command) {
    auto schedule = schedule_.lock();
    leave(assignment, running);
    dropIfUnused(*schedule, team);
  } else {
    leaveJob(team);
  }
  // What ended may have made more commands ready, and this thread may have got what it waits for.
  wakeFor(team);
  return true;
}

/// Until the team has something to take, or a command may have ended (true), or for too long
/// (false).
bool Pool::watch(Team& team) {
  uint32_t changes = 0;
  {
    auto schedule = schedule_.lock();
    if (team.active.load() == 0 || !team.helpersAllowed)
      return false;
    changes = team.changes.load();
    team.watching.fetch_add(1);
  }
  const uint64_t end = now() + watchNs;
  bool any = false;
  while (!any && now() < end) {
    _mm_pause();
    any = team.pending.load(std::memory_order_relaxed) > 0 ||
          team.openJobs.load(std::memory_order_relaxed) > 0 ||
          team.changes.load(std::memory_order_relaxed) != changes;
  }
  {
    auto schedule = schedule_.lock();
    team.watching.fetch_sub(1);
    dropIfUnused(*schedule, team);
  }
  // What was submitted meanwhile may have counted on this thread.
  if (!any)
    wakeFor(team);
  return any;
}

/// Calls workers for what `team` has to do that they do not find by themselves: a command, and jobs
/// that are worth waking them for.
void Pool::wakeFor(Team& team) {
  call(takeForCommand(shared_, team), nullptr);
  if (team.openJobs.load() <= 0)
    return;
  for (const std::atomic<Job*>& opening : shared_.openings)
    if (Job* const job = opening.load(); job && &job->team() == &team && job->wakes.load())
      call(shared_.idle.takeResting(std::min(job->vacancies(), mostWoken), team.unitSet), job);
}

/// Calls `units`, which the calling thread has taken out of the idle ones, for `job`, or to look
/// for work where that is null. Some of them call the others, so that it takes as long as a few
/// calls.
void Pool::call(Units units, Job* job) {
  while (!units.isEmpty()) {
    Worker& worker = *shared_.workers[units.pop()];
    worker.call = {.job = job, .others = units.popFront(units.count() / 2)};
    const bool wasStarted = std::exchange(worker.isStarted, true);
    worker.isCalled.store(1, std::memory_order_release);
    if (!wasStarted)
      start(worker);
    else if (units.areResting)
      worker.isCalled.notify_one();
  }
}

/// After `worker` has been taken out of the idle ones: waits for the call, which comes at once, and
/// passes it on.
Job* Pool::answer(Worker& worker) {
  while (worker.isCalled.load(std::memory_order_acquire) == 0)
    sched_yield();
  const Call call = worker.call;
  worker.isCalled.store(0, std::memory_order_relaxed);
  this->call(call.others, call.job);
  return call.job;
}

void Pool::start(Worker& worker) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // The program's signals are for the program's threads, except those that report a fault of the
  // thread itself. A new thread inherits the mask.
  sigset_t blocked, previous;
  sigfillset(&blocked);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS})
    sigdelset(&blocked, fault);
  pthread_sigmask(SIG_SETMASK, &blocked, &previous);
  pthread_t thread;
  const int error = pthread_create(
      &thread, &attributes,
      [](void* argument) -> void* {
        thePool->work(*static_cast<Worker*>(argument));
        return nullptr;
      },
      &worker);
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
  pthread_attr_destroy(&attributes);
  if (error == 0)
    return;
  static std::atomic<bool> isTold = false;
  if (!isTold.exchange(true)) {
    char text[128];
    std::snprintf(text, sizeof(text),
                  "a worker thread cannot be started (%s): the calling thread does its work",
                  strerrordesc_np(error));
    log::warning(text);
  }
  standIn(worker);
}

void Pool::standIn(Worker& worker) {
  CurrentThread& thread = currentThread();
  Job* job = answer(worker);
  // A thread inside looks again when it is done with what it is inside of.
  const bool wasInside = thread.isInside();
  Running running;
  do {
    if (!wasInside) {
      thread.worker = &worker;
      runAll(worker, job ? joinWhenCalled(*job, worker.unit) : Assignment(), running);
      thread.worker = nullptr;
      if (!shared_.idle.remove(worker.unit)) {
        job = answer(worker);
        continue;
      }
    }
    job = nullptr;
    worker.isStarted = false;
    shared_.idle.addResting(worker.unit);
    // If it is called again, who calls starts its thread, or stands in.
  } while (!wasInside && isWorkWaitingFor(worker) && shared_.idle.remove(worker.unit));
}

bool Pool::isWorkWaitingFor(const Worker& worker) {
  return schedule_.with([&](const Schedule& schedule) {
    return std::any_of(schedule.teams.begin(), schedule.teams.end(), [&](const auto& team) {
      return team->hasUnit(worker.unit) && team->pending.load() > 0;
    });
  });
}

void Pool::work(Worker& worker) {
  char name[16];
  std::snprintf(name, sizeof(name), "quern-%u", worker.unit);
  pthread_setname_np(pthread_self(), name);
  std::fesetenv(FE_DFL_ENV); // the creator's was inherited
  {
    auto schedule = schedule_.lock();
    worker.thread = pthread_self();
    bindThread(worker.thread, worker.cpus);
  }
  currentThread().worker = &worker;
  Running running;
  while (true) {
    Job* const job = answer(worker);
    runAll(worker, job ? joinWhenCalled(*job, worker.unit) : Assignment(), running);
    rest(worker);
  }
}

/// Does what it was assigned, and whatever else there is, until there is nothing: the worker spins.
void Pool::runAll(Worker& worker, Assignment assignment, Running& running) {
  if (!assignment)
    assignment = next(worker, {}, running);
  while (assignment) {
    wakeFor(*assignment.team);
    run(assignment, running);
    assignment = next(worker, assignment, running);
  }
}

/// Takes work for `worker`, whose last assignment is over; empty, and the worker among those that
/// spin, when there is none. Participants of a job, which come one close behind the other, do not
/// take the lock.
Assignment Pool::next(Worker& worker, const Assignment& last, Running& running) {
  if (last.command) {
    auto schedule = schedule_.lock();
    leave(last, running);
    dropIfUnused(*schedule, *last.team);
    if (const Assignment assignment = take(*schedule, worker, running))
      return assignment;
  } else {
    if (last.job)
      leaveJob(*last.team);
    if (const Assignment assignment = joinAsWorker(shared_, worker.unit))
      return assignment;
  }
  // Whoever submits from here on finds an idle worker; what was submitted before is seen by looking
  // again.
  shared_.idle.addSpinning(worker.unit);
  const Team* const team = shared_.onlyTeam.load();
  if (team && team->pending.load() == 0 && team->openJobs.load() <= 0)
    return {};
  const Assignment assignment = take(*schedule_.lock(), worker, running);
  if (assignment && !shared_.idle.remove(worker.unit))
    answer(worker); // it will look for that, too
  return assignment;
}

/// A participant of a job of `team` is not active any more.
void Pool::leaveJob(Team& team) {
  team.active.fetch_sub(1);
  if (team.handles.load() == 0)
    dropIfUnused(*schedule_.lock(), team);
}

Assignment Pool::take(Schedule& schedule, Worker& worker, Running& running) {
  const Assignment assignment = takeAsWorker(schedule, worker.unit);
  if (assignment.command)
    enter(assignment, running);
  return assignment;
}

/// Until somebody calls `worker`, which spins.
void Pool::rest(Worker& worker) {
  spin(worker);
  const uint64_t start = now();
  if (!shared_.idle.moveToRest(worker.unit))
    return;
  worker.isCalled.wait(0);
  worker.spinsLong = now() - start < longSpinNs;
}

/// Until somebody has called `worker`, or for as long as that is worth it.
void Pool::spin(Worker& worker) {
  const uint64_t start = now();
  const uint64_t patience = start < worker.crowdedUntil ? eagerSpinNs
                            : worker.spinsLong          ? longSpinNs
                                                        : spinNs;
  uint64_t time = start;
  while (worker.isCalled.load(std::memory_order_relaxed) == 0 && time - start < patience) {
    if (time - start < eagerSpinNs)
      _mm_pause();
    else
      sched_yield();
    const uint64_t before = std::exchange(time, now());
    if (time - before > lostCpuNs) {
      worker.crowdedUntil = time + crowdedNs;
      return;
    }
  }
}

void Pool::run(const Assignment& assignment, Running& running) {
  const FloatEnvironment environment;
  CurrentThread& thread = currentThread();
  thread.team = assignment.team;
  if (assignment.job)
    runJob(assignment);
  else
    runInARow(*assignment.team, *assignment.command, running);
  thread.team = nullptr;
}

/// Runs `first`, and small commands that follow it as long as nothing else waits.
void Pool::runInARow(Team& team, device::Command& first, Running& running) {
  CurrentThread& thread = currentThread();
  const uint64_t start = now();
  uint64_t time = start;
  device::Command* command = &first;
  for (uint32_t i = 1; command; ++i) {
    const cl_int status = runAlone(*command, time);
    running.command.store(nullptr, std::memory_order_relaxed);
    if (i < mostInARow && time - start < helperBudgetNs) {
      thread.ending = &team;
      thread.running = &running;
    }
    finish(*command, status, time);
    thread.ending = nullptr;
    team.changes.fetch_add(1);
    command = std::exchange(thread.following, nullptr);
  }
}

/// Returns the status that `command` ends with. `time` is now, before and after.
cl_int Pool::runAlone(device::Command& command, uint64_t& time) {
  WorkRun work(*command.work);
  TimeLimit limit;
  command.started(time);
  const cl_int status = work.run(0, work.pieces(), limit);
  const uint64_t begin = std::exchange(time, now());
  work.end(time - begin);
  traceWork("work", *command.work, begin, time);
  return runAppended(command, status == CL_SUCCESS ? CL_COMPLETE : status, begin, time);
}

/// Runs what was appended to `command`, whose own work began at `started` and ended with `status`,
/// and returns what all of it ends with. `time` is now, before and after. The clock is read once
/// for launches of one kernel that follow each other: that takes about as long as a small one.
cl_int Pool::runAppended(device::Command& command, cl_int status, uint64_t started,
                         uint64_t& time) {
  WorkSequence* const sequence = appendedTo(command);
  if (!sequence)
    return status;
  traceWork("repeated", *command.work, started, time);
  const device::Work* next = sequence->next();
  uint64_t unmeasured = 0;
  while (next) {
    const device::Work* const current = next;
    WorkRun work(*current);
    uint64_t times = 0;
    // The same work is often appended again and again.
    for (; next == current; next = sequence->next(), ++times) {
      TimeLimit limit;
      if (const cl_int failure = work.run(0, work.pieces(), limit); failure != CL_SUCCESS)
        status = failure;
    }
    if (next && areOfOneKernel(*current, *next) && !trace::isOn()) {
      unmeasured += work.items() * times;
      work.endUnmeasured();
      continue;
    }
    const uint64_t begin = std::exchange(time, now());
    work.end(time - begin, times, std::exchange(unmeasured, 0));
    traceWork("repeated", *current, begin, time, times);
  }
  return status;
}

void Pool::finish(device::Command& command, cl_int status, uint64_t time) {
  WorkSequence* const sequence = appendedTo(command);
  command.finished(status, time);
  if (!sequence)
    return;
  sequence->clear();
  delete spareSequence_.exchange(sequence, std::memory_order_acq_rel);
}

WorkSequence* Pool::append(device::Command& command, const device::Work& work) {
  WorkSequence* sequence = sequenceOf(command);
  if (!sequence)
    return begin(command, work);
  // To estimate the time means to look where the thread that runs the same writes.
  if (sequence->repeat(work))
    return sequence;
  const std::optional<uint64_t> nanoseconds = estimateSmallTime(work);
  return nanoseconds && sequence->add(work, *nanoseconds) ? sequence : nullptr;
}

WorkSequence* Pool::begin(device::Command& command, const device::Work& work) {
  const std::optional<uint64_t> nanoseconds = estimateSmallTime(work);
  if (!nanoseconds || !estimateSmallTime(*command.work))
    return nullptr;
  WorkSequence* sequence = spareSequence_.exchange(nullptr, std::memory_order_acq_rel);
  if (!sequence)
    sequence = new WorkSequence();
  sequence->add(work, *nanoseconds);
  // From here on it belongs to the thread that ends the command.
  if (cpu::begin(command, *sequence))
    return sequence;
  sequence->clear();
  delete spareSequence_.exchange(sequence, std::memory_order_acq_rel);
  return nullptr;
}

void Pool::runJob(const Assignment& assignment) {
  Job& job = *assignment.job;
  bool isOpener = assignment.opens;
  if (isOpener) {
    job.started = now();
    job.command->started(job.started);
    job.open(*assignment.team, assignment.team->size());
  }
  while (true) {
    runPieces(job, isOpener);
    if (!job.leave())
      return;
    if (!job.openNext())
      return endJob(job);
    isOpener = true;
  }
}

void Pool::endJob(Job& job) {
  Team& team = job.team();
  device::Command& command = *std::exchange(job.command, nullptr);
  const cl_int ownStatus = job.close();
  uint64_t time = now();
  const cl_int status = runAppended(command, ownStatus, job.started, time);
  finish(command, status, time);
  team.changes.fetch_add(1);
  auto schedule = schedule_.lock();
  recycle(*schedule, job);
}

/// False where that is not possible now.
bool Pool::letOthersIn(Job& job) {
  if (!publish(shared_, job, job.cost()))
    return false;
  callFor(job);
  return true;
}

/// Calls workers that spin, as many as `job` wants, and some that have to be woken. These call more
/// when they join.
void Pool::callFor(Job& job) {
  Team& team = job.team();
  uint32_t wanted = job.vacancies();
  while (wanted > 0) {
    const Units units = shared_.idle.takeSpinning(wanted, team.unitSet);
    if (units.isEmpty())
      break;
    wanted -= units.count();
    call(units, &job);
  }
  if (wanted > 0)
    wakeFor(team);
}

/// The job needs more threads than it seemed to.
void Pool::callMore(Job& job) {
  job.wakes.store(true);
  job.letAllIn();
  callFor(job);
}

/// Runs pieces of `job` until none are left or, where others can find it, a helping thread has done
/// its share. Who opened its stage lets them.
void Pool::runPieces(Job& job, bool isOpener) {
  const CurrentThread& thread = currentThread();
  const uint32_t home = thread.worker
                            ? static_cast<uint32_t>(job.team().ordinal[thread.worker->unit])
                            : job.ranges() - 1;
  const double cost = job.pieceCost();
  std::optional<double> expected = job.expectedTime();
  uint64_t wanted =
      cost > 0 ? std::max<uint64_t>(static_cast<uint64_t>(shortBatchNs / cost), 1) : 1;
  bool isFindable = !isOpener;
  const bool isShared = job.pieces() > 1;
  const uint64_t start = now();
  uint64_t time = start;
  while (true) {
    if (isShared && !isFindable)
      isFindable = letOthersIn(job);
    const std::optional<Claim> claim = job.claim(home, wanted);
    if (!claim) {
      withdraw(shared_, job);
      break;
    }
    job.run(*claim);
    const uint64_t before = std::exchange(time, now());
    if (time - before < shortBatchNs && claim->end - claim->begin == wanted)
      wanted *= 2;
    else if (time - before > longBatchNs)
      wanted = std::max<uint64_t>(wanted / 2, 1);
    if (expected && static_cast<double>(time - start) > surprise * *expected + shortBatchNs) {
      expected.reset();
      callMore(job);
    }
    if (!thread.worker && time - start > helperBudgetNs && isFindable) {
      job.wakes.store(true); // it is not as small as it looked, and this thread may not come back
      break;
    }
  }
  job.addTime(time - start);
  if (time != start)
    traceWork("work", *job.command->work, start, time);
}

void Pool::endOrphans() {
  const std::vector<device::Command*> orphans =
      schedule_.with([](Schedule& schedule) { return std::exchange(schedule.orphans, {}); });
  hasOrphans_.store(false, std::memory_order_relaxed);
  for (device::Command* command : orphans)
    command->finished(CL_OUT_OF_RESOURCES, now());
}

} // namespace quern::cpu
