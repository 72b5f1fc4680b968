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
/// A worker is woken when this many small commands have come together.
constexpr uint32_t batchOfCommands = 64;

/// So many small commands that each make the next one ready run one after the other, before the
/// thread looks what else there is.
constexpr uint32_t mostInARow = 64;

/// What the calling thread is doing for a pool.
struct CurrentThread {
  Worker* worker = nullptr;             ///< whose thread it is
  Team* helped = nullptr;               ///< the team that it is running something for as a helper
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
    forgetThreads(**guard);
    thePool->hasOrphans_.store(!(*guard)->orphans.empty());
    guard.reset();
  }
};

Pool::Pool(uint32_t units) : units_(units), idle_(schedule_.lock()->idle) {
  auto schedule = schedule_.lock();
  for (uint32_t i = 0; i < units; ++i)
    schedule->workers.push_back(std::make_unique<Worker>(i));
  schedule->idle.store(units);
  thePool = this;
  pthread_atfork(ForkHandlers::prepare, ForkHandlers::parent, ForkHandlers::child);
}

Team& Pool::makeTeam(std::vector<uint32_t> units, bool helpersAllowed) {
  auto schedule = schedule_.lock();
  schedule->teams.push_back(std::make_unique<Team>(std::move(units), units_, helpersAllowed));
  Team& team = *schedule->teams.back();
  team.handles = 1;
  return team;
}

void Pool::addHandle(Team& team) {
  auto schedule = schedule_.lock();
  ++team.handles;
}

void Pool::dropHandle(Team& team) {
  flush(team); // nobody else may be left to do it
  auto schedule = schedule_.lock();
  --team.handles;
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
    wakeFor(team, 1);
}

void Pool::flush(Team& team) {
  if (hasOrphans_.load(std::memory_order_relaxed))
    endOrphans();
  const uint32_t pending = team.pending.load();
  const uint32_t jobs = team.openJobs.load();
  if (pending + jobs > 0 && !currentThread().serves(team))
    wakeFor(team, jobs + 1);
}

void Pool::grew(Team& team) {
  // A thread that has begun the command goes on with what was added.
  if (team.pending.load() > 0 && !currentThread().serves(team))
    wakeFor(team, 1);
}

bool Pool::help(Team& team) {
  if (hasOrphans_.load(std::memory_order_relaxed))
    endOrphans();
  CurrentThread& thread = currentThread();
  if (thread.isInside())
    return false;
  if (team.pending.load() == 0 && team.openJobs.load() == 0)
    return watch(team);
  Running running;
  Assignment assignment;
  Wakes wakes;
  {
    auto schedule = schedule_.lock();
    assignment = takeAsHelper(*schedule, team);
    if (assignment) {
      enter(assignment, running);
      wakes = chooseIdle(*schedule, team, usefulHelp(team));
    } else if (team.pending.load() > 0 || team.jobs) {
      wakes = chooseIdle(*schedule, team, 1); // what is left is not for helpers
    }
  }
  wake(wakes);
  if (!assignment)
    return watch(team); // another thread was faster, and may share what it took
  thread.helped = &team;
  run(assignment, running);
  thread.helped = nullptr;
  {
    auto schedule = schedule_.lock();
    leave(assignment, running);
    // What ended may have made more commands ready, and this thread may have got what it waits for.
    wakes = chooseIdle(*schedule, team, team.jobs || team.pending.load() > 0 ? 1 : 0);
    dropIfUnused(*schedule, team);
  }
  wake(wakes);
  return true;
}

/// Until the team has something to take, or a command may have ended (true), or for too long
/// (false).
bool Pool::watch(Team& team) {
  uint32_t changes = 0;
  {
    auto schedule = schedule_.lock();
    if (team.active == 0 || !team.helpersAllowed)
      return false;
    changes = team.changes.load();
    ++team.watching;
  }
  const uint64_t end = now() + watchNs;
  bool any = false;
  while (!any && now() < end) {
    _mm_pause();
    any = team.pending.load(std::memory_order_relaxed) > 0 ||
          team.openJobs.load(std::memory_order_relaxed) > 0 ||
          team.changes.load(std::memory_order_relaxed) != changes;
  }
  Wakes wakes;
  {
    auto schedule = schedule_.lock();
    --team.watching;
    // What was submitted meanwhile may have counted on this thread.
    if (!any)
      wakes = chooseIdle(*schedule, team, usefulHelp(team));
    dropIfUnused(*schedule, team);
  }
  wake(wakes);
  return any;
}

void Pool::wakeFor(Team& team, uint32_t count) {
  if (idle_.load() == 0)
    return;
  wake(schedule_.with([&](Schedule& schedule) { return chooseIdle(schedule, team, count); }));
}

void Pool::wake(const Wakes& wakes) {
  for (const Wake& wake : wakes) {
    if (wake.phase == Phase::NotStarted)
      start(*wake.worker);
    else if (wake.phase == Phase::Sleeping)
      wake.worker->wakeUp.notify_one();
  }
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
  const bool wasInside =
      thread.isInside(); // then this thread looks again when it is done with what it is inside of
  Running running;
  while (true) {
    if (!wasInside) {
      thread.worker = &worker;
      for (Assignment last; (last = next(worker, last, running));)
        run(last, running);
      thread.worker = nullptr;
    }
    auto schedule = schedule_.lock();
    if (worker.phase == Phase::Busy)
      beginRest(*schedule, worker);
    if (worker.notified.load() && !wasInside) { // chosen again in the meantime
      endRest(*schedule, worker);
      continue;
    }
    if (worker.notified.exchange(false))
      schedule->idle.fetch_add(1);
    worker.phase = Phase::NotStarted;
    return;
  }
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
  Assignment assignment;
  while (true) {
    assignment = next(worker, assignment, running);
    if (assignment)
      run(assignment, running);
    else
      rest(worker);
  }
}

Assignment Pool::next(Worker& worker, const Assignment& last, Running& running) {
  Assignment assignment;
  Wakes wakes;
  {
    auto schedule = schedule_.lock();
    if (last) {
      leave(last, running);
      dropIfUnused(*schedule, *last.team);
    }
    assignment = takeAsWorker(*schedule, worker.unit);
    if (!assignment) {
      // Whoever submits from here on sees an idle worker; what was submitted before is seen by
      // looking again.
      beginRest(*schedule, worker);
      assignment = takeAsWorker(*schedule, worker.unit);
      if (assignment)
        endRest(*schedule, worker);
    }
    if (assignment) {
      enter(assignment, running);
      wakes = chooseIdle(*schedule, *assignment.team, usefulHelp(*assignment.team));
    }
  }
  wake(wakes);
  return assignment;
}

void Pool::rest(Worker& worker) {
  spin(worker);
  const uint64_t start = now();
  auto schedule = schedule_.lock();
  if (!worker.notified.load()) {
    worker.phase = Phase::Sleeping;
    schedule.wait(worker.wakeUp, [&](Schedule&) { return worker.notified.load(); });
    worker.spinsLong = now() - start < longSpinNs;
  }
  endRest(*schedule, worker);
}

/// Until somebody has chosen `worker`, or for as long as that is worth it.
void Pool::spin(Worker& worker) {
  const uint64_t start = now();
  const uint64_t patience = start < worker.crowdedUntil ? eagerSpinNs
                            : worker.spinsLong          ? longSpinNs
                                                        : spinNs;
  uint64_t time = start;
  while (!worker.notified.load(std::memory_order_relaxed) && time - start < patience) {
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

Job* Pool::makeJob() const {
  try {
    return new Job(units_);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void Pool::run(Assignment& assignment, Running& running) {
  const FloatEnvironment environment;
  if (assignment.share && !assignment.job)
    assignment.job = makeJob();
  if (!assignment.job)
    return runInARow(*assignment.team, *assignment.command, running);
  runJob(assignment, running);
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

void Pool::publishJob(Team& team, Job& job) {
  Wakes wakes;
  {
    auto schedule = schedule_.lock();
    publish(team, job, job.cost());
    wakes = chooseIdle(*schedule, team, std::min(usefulHelp(team), job.ranges() - 1));
  }
  wake(wakes);
}

void Pool::runJob(const Assignment& assignment, Running& running) {
  Team& team = *assignment.team;
  Job& job = *assignment.job;
  if (assignment.command) {
    job.started = now();
    assignment.command->started(job.started);
    job.open(*assignment.command, team.size());
    if (job.pieces() > 1)
      publishJob(team, job);
  }
  while (runStage(team, job, running)) {
    if (!job.openNext())
      return endJob(team, job, running);
    publishJob(team, job);
  }
}

/// True for the thread that is the last to leave the stage of the job.
bool Pool::runStage(Team& team, Job& job, Running& running) {
  const bool exhausted = runPieces(team, job);
  auto schedule = schedule_.lock();
  // A job that is not listed has nothing left: its only piece has run, or another thread withdrew
  // it.
  if (exhausted || !job.listed) {
    job.exhausted = true;
    withdraw(team, job);
  } else {
    job.wakes = true; // it is not as small as it looked, and this thread may not come back
  }
  leaveJob(team, job);
  if (job.participants == 0 && job.exhausted)
    return true;
  running.command.store(nullptr, std::memory_order_relaxed);
  return false;
}

void Pool::endJob(Team& team, Job& job, Running& running) {
  device::Command& command = *std::exchange(job.command, nullptr);
  const cl_int ownStatus = job.close();
  uint64_t time = now();
  const cl_int status = runAppended(command, ownStatus, job.started, time);
  running.command.store(nullptr, std::memory_order_relaxed);
  finish(command, status, time);
  team.changes.fetch_add(1);
  auto schedule = schedule_.lock();
  recycle(*schedule, job);
}

void Pool::callMore(Team& team, Job& job) {
  Wakes wakes;
  {
    auto schedule = schedule_.lock();
    openToAll(team, job);
    wakes = chooseIdle(*schedule, team, usefulHelp(team));
  }
  wake(wakes);
}

/// Runs pieces of `job` until none are left (true) or a helping thread has done its share (false).
bool Pool::runPieces(Team& team, Job& job) {
  const CurrentThread& thread = currentThread();
  const uint32_t home =
      thread.worker ? static_cast<uint32_t>(team.ordinal[thread.worker->unit]) : job.ranges() - 1;
  const double cost = job.pieceCost();
  std::optional<double> expected = job.expectedTime();
  uint64_t wanted =
      cost > 0 ? std::max<uint64_t>(static_cast<uint64_t>(shortBatchNs / cost), 1) : 1;
  const uint64_t start = now();
  uint64_t time = start;
  bool exhausted = false;
  while (true) {
    const std::optional<Claim> claim = job.claim(home, wanted);
    exhausted = !claim;
    if (exhausted)
      break;
    job.run(*claim);
    const uint64_t before = std::exchange(time, now());
    if (time - before < shortBatchNs && claim->end - claim->begin == wanted)
      wanted *= 2;
    else if (time - before > longBatchNs)
      wanted = std::max<uint64_t>(wanted / 2, 1);
    if (expected && static_cast<double>(time - start) > surprise * *expected + shortBatchNs) {
      expected.reset();
      callMore(team, job);
    }
    if (!thread.worker && time - start > helperBudgetNs)
      break;
  }
  job.addTime(time - start);
  if (time != start)
    traceWork("work", *job.command->work, start, time);
  return exhausted;
}

void Pool::endOrphans() {
  const std::vector<device::Command*> orphans =
      schedule_.with([](Schedule& schedule) { return std::exchange(schedule.orphans, {}); });
  hasOrphans_.store(false, std::memory_order_relaxed);
  for (device::Command* command : orphans)
    command->finished(CL_OUT_OF_RESOURCES, now());
}

} // namespace quern::cpu
