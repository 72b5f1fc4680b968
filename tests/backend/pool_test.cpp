// Which threads run what: concurrency, sub-devices, helping, forks.
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <CL/cl_ext.h>

#include "loaded_kernel.h"

namespace {
/// In a forked child, where the other threads' memory looks like leaks.
bool isForked = false;
} // namespace

/// Asked by the leak checker when the process ends.
extern "C" __attribute__((visibility("default"), used)) int __lsan_is_turned_off() {
  return isForked;
}

namespace quern::test {
namespace {

class PoolTest : public KernelTest {
protected:
  std::vector<Ref<device::Device>> split(const device::PartitionRequest& request) {
    auto parts = device->partition(request);
    EXPECT_TRUE(parts.ok()) << parts.status().sentence();
    return parts.ok() ? *parts : std::vector<Ref<device::Device>>();
  }
};

TEST_F(PoolTest, CommandsRunAtTheSameTime) {
  if (device->caps().computeUnits < 2)
    GTEST_SKIP() << "needs two compute units";
  // Each waits for the other: they only end when both run.
  std::atomic<int> arrived = 0;
  const auto meet = [&] {
    ++arrived;
    arrived.notify_all();
    for (int seen = arrived; seen < 2; seen = arrived)
      arrived.wait(seen);
  };
  CommandProbe first(device::CallHost{meet}), second(device::CallHost{meet});
  queue->submit(first);
  queue->submit(second);
  queue->flush();
  first.wait();
  second.wait();
}

TEST_F(PoolTest, AppendedWorkRunsBeforeItsCommandEnds) {
  const auto executable = load(describe("count_items", 8));
  constexpr uint64_t items = 16;
  const auto out = allocateWith(std::vector<uint32_t>(items, 0));
  const device::Work launch = device::LaunchKernel{executable,
                                                   0,
                                                   {.global = {items, 1, 1}, .local = {1, 1, 1}},
                                                   Arguments().add(out->address()).bytes};
  // Nothing is known of the kernel's cost before it has run.
  uint32_t expected = 0;
  for (const bool isKnown : {false, true, true}) {
    CommandProbe command(launch);
    command.mayGrow = true;
    ++expected;
    // Before the command is submitted, and perhaps while it runs.
    for (int i = 0; i < 5; ++i) {
      const bool isTaken = queue->append(command, launch);
      EXPECT_TRUE(isKnown || !isTaken);
      expected += isTaken;
    }
    queue->submit(command);
    for (int i = 0; i < 5; ++i)
      expected += queue->append(command, launch);
    command.waitHelping(*device, *queue);
    EXPECT_EQ(CL_COMPLETE, command.status);
    EXPECT_EQ(1, command.finishedCalls);
    EXPECT_EQ(std::vector<uint32_t>(items, expected), values<uint32_t>(out));
  }
}

TEST_F(PoolTest, SmallWorkBehindLongWorkStarts) {
  if (device->caps().computeUnits < 2)
    GTEST_SKIP() << "needs two compute units";
  std::atomic<bool> go = false;
  CommandProbe lengthy(device::CallHost{[&] { go.wait(false); }});
  CommandProbe small;
  queue->submit(lengthy);
  queue->submit(small);
  queue->flush();
  small.wait();
  go = true;
  go.notify_all();
  lengthy.wait();
}

/// Commands that keep every unit busy until their gates open. All have begun once it is made.
class BusyUnits {
public:
  BusyUnits(device::Device& device, device::Queue& queue) {
    const cl_uint units = device.caps().computeUnits;
    gates_ = std::vector<std::atomic<bool>>(units);
    for (std::atomic<bool>& gate : gates_) {
      commands_.push_back(std::make_unique<CommandProbe>(device::CallHost{[this, &gate] {
        ++begun_;
        begun_.notify_all();
        gate.wait(false);
      }}));
      queue.submit(*commands_.back());
    }
    queue.flush();
    for (cl_uint now = begun_; now < units; now = begun_)
      begun_.wait(now);
  }
  ~BusyUnits() {
    for (size_t i = 0; i < gates_.size(); ++i)
      letGo(i);
    for (auto& command : commands_)
      command->wait();
  }
  void letGo(size_t unit) {
    gates_[unit] = true;
    gates_[unit].notify_all();
  }

private:
  std::atomic<cl_uint> begun_ = 0;
  std::vector<std::atomic<bool>> gates_;
  std::vector<std::unique_ptr<CommandProbe>> commands_;
};

TEST_F(PoolTest, SmallWorkRunsWhileEveryUnitIsBusy) {
  const BusyUnits busy(*device, *queue);
  CommandProbe small;
  queue->submit(small);
  small.waitHelping(*device, *queue);
}

TEST_F(PoolTest, UrgentQueuesGoFirst) {
  // The one unit that is let go takes what waits in order.
  BusyUnits busy(*device, *queue);
  std::vector<cl_uint> order;
  std::vector<std::unique_ptr<CommandProbe>> waiting;
  for (const cl_uint priority :
       {CL_QUEUE_PRIORITY_LOW_KHR, CL_QUEUE_PRIORITY_MED_KHR, CL_QUEUE_PRIORITY_HIGH_KHR}) {
    const Ref<device::Queue> own = *device->createQueue({.priority = cl_uint(priority)});
    for (int i = 0; i < 2; ++i) {
      waiting.push_back(std::make_unique<CommandProbe>(
          device::CallHost{[&order, priority] { order.push_back(priority); }}));
      own->submit(*waiting.back());
    }
    own->flush();
  }
  busy.letGo(0);
  for (auto& command : waiting)
    command->wait();
  EXPECT_EQ(order, (std::vector<cl_uint>{CL_QUEUE_PRIORITY_HIGH_KHR, CL_QUEUE_PRIORITY_HIGH_KHR,
                                         CL_QUEUE_PRIORITY_MED_KHR, CL_QUEUE_PRIORITY_MED_KHR,
                                         CL_QUEUE_PRIORITY_LOW_KHR, CL_QUEUE_PRIORITY_LOW_KHR}));
}

TEST_F(PoolTest, HelpersNeverCallHostFunctions) {
  const std::thread::id caller = std::this_thread::get_id();
  for (int i = 0; i < 100; ++i) {
    std::thread::id ran;
    CommandProbe command(device::CallHost{[&] { ran = std::this_thread::get_id(); }});
    queue->submit(command);
    command.waitHelping(*device, *queue);
    EXPECT_NE(ran, caller);
  }
}

TEST_F(PoolTest, SmallWorkRunsOnTheThreadThatWaits) {
  const std::thread::id caller = std::this_thread::get_id();
  for (int i = 0; i < 100; ++i) {
    std::thread::id ran;
    CommandProbe command;
    command.onFinished = [&] { ran = std::this_thread::get_id(); };
    queue->submit(command);
    command.waitHelping(*device, *queue);
    EXPECT_EQ(ran, caller);
  }
}

TEST_F(PoolTest, SubDevicesRunAtMostTheirUnitsAtATime) {
  const auto parts = split({.unitsEach = 1});
  ASSERT_EQ(parts.size(), device->caps().computeUnits);
  EXPECT_EQ(parts[0]->caps().computeUnits, 1u);
  auto partQueue = *parts[0]->createQueue({});
  std::atomic<int> inside = 0, most = 0;
  std::vector<std::unique_ptr<CommandProbe>> commands;
  for (int i = 0; i < 50; ++i) {
    commands.push_back(std::make_unique<CommandProbe>(device::CallHost{[&] {
      const int now = ++inside;
      most = std::max<int>(most, now);
      std::this_thread::yield();
      --inside;
    }}));
    partQueue->submit(*commands.back());
  }
  partQueue->flush();
  for (auto& command : commands)
    command->wait();
  EXPECT_EQ(most, 1);
}

TEST_F(PoolTest, SubDevicesComeAndGo) {
  for (int i = 0; i < 200; ++i) {
    const auto parts = split({.kind = device::PartitionKind::ByCounts, .counts = {1}});
    auto partQueue = *parts[0]->createQueue({});
    CommandProbe command;
    partQueue->submit(command);
    if (i % 2 == 0)
      command.waitHelping(*parts[0], *partQueue);
    partQueue.reset();
    command.wait();
  }
}

TEST_F(PoolTest, AffinityBindsTheThreads) {
  if ((device->caps().affinityDomains & CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE) == 0)
    GTEST_SKIP() << "the CPUs share one second-level cache";
  const auto parts = split({.kind = device::PartitionKind::ByAffinityDomain,
                            .domain = CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE});
  for (const auto& part : parts) {
    auto partQueue = *part->createQueue({});
    int cpus = 0;
    CommandProbe command(device::CallHost{[&] {
      cpu_set_t set;
      sched_getaffinity(0, sizeof(set), &set);
      cpus = CPU_COUNT(&set);
    }});
    partQueue->submit(command);
    partQueue->flush();
    command.wait();
    EXPECT_GE(cpus, 1);
    EXPECT_LT(cpus, CPU_SETSIZE);
    EXPECT_LT(static_cast<cl_uint>(cpus), device->caps().computeUnits);
  }
}

TEST_F(PoolTest, WorkersLeaveSignalsToTheProgram) {
  sigset_t mask;
  sigemptyset(&mask);
  CommandProbe command(device::CallHost{[&] { pthread_sigmask(SIG_BLOCK, nullptr, &mask); }});
  queue->submit(command);
  queue->flush();
  command.wait();
  EXPECT_FALSE(sigismember(&mask, SIGSEGV)) << "a fault is the thread's own";
  EXPECT_TRUE(sigismember(&mask, SIGINT));
  EXPECT_TRUE(sigismember(&mask, SIGUSR1));
}

TEST_F(PoolTest, StressOfMixedWork) {
  const auto nothing = load(describe("nothing", 0));
  const auto count = load(describe("count_items", 8));
  constexpr int threads = 3, rounds = 150;
  std::vector<std::thread> submitters;
  for (int t = 0; t < threads; ++t)
    submitters.emplace_back([&, t] {
      auto mine = *device->createQueue({});
      for (int i = 0; i < rounds; ++i) {
        const uint64_t items = 1 + (i * 7919 + t * 104729) % 20'000;
        const auto out = allocateWith(std::vector<uint32_t>(items, 0));
        CommandProbe kernel(device::LaunchKernel{count,
                                                 0,
                                                 {.global = {items, 1, 1}, .local = {16, 1, 1}},
                                                 Arguments().add(out->address()).bytes});
        CommandProbe empty(device::LaunchKernel{nothing, 0, {}, {}});
        CommandProbe fill(device::Fill{.destination = {.allocation = out.get()},
                                       .pattern = {std::byte(3)},
                                       .patternBytes = 1,
                                       .bytes = items * 4});
        kernel.onFinished = [&] { mine->submit(fill); };
        mine->submit(empty);
        mine->submit(kernel);
        if (i % 3 == 0)
          mine->flush();
        empty.waitHelping(*device, *mine);
        fill.waitHelping(*device, *mine);
        ASSERT_EQ(values<uint32_t>(out), std::vector<uint32_t>(items, 0x03030303));
        kernel.wait();
      }
    });
  for (std::thread& thread : submitters)
    thread.join();
}

TEST_F(PoolTest, PiecesOfOneKernelRunOnSeveralThreads) {
  if (device->caps().computeUnits < 2)
    GTEST_SKIP() << "needs two compute units";
  const auto executable = load(describe("uneven", 12));
  constexpr uint64_t groups = 64;
  const auto out = allocate(groups * 8);
  for (int i = 0; i < 200; ++i)
    ASSERT_EQ(run(device::LaunchKernel{executable,
                                       0,
                                       {.global = {groups, 1, 1}},
                                       Arguments().add(out->address()).add(uint32_t(500)).bytes}),
              CL_COMPLETE);
}

// What a call does besides its work-groups is done four times by each thread, once it is known that
// this does not take too long.
TEST_F(PoolTest, KernelsThatCountApartAreCalledAFewTimes) {
  abi::KernelDescription description = describe("count_calls", 8);
  description.countsApart = true;
  const auto executable = load(description);
  constexpr uint32_t groups = 1000;
  for (int i = 0; i < 20; ++i) {
    const auto out = allocateWith(std::vector<uint32_t>(2, 0));
    ASSERT_EQ(
        run(device::LaunchKernel{
            executable, 0, {.global = {groups, 1, 1}}, Arguments().add(out->address()).bytes}),
        CL_COMPLETE);
    EXPECT_EQ(groups, values<uint32_t>(out)[1]);
    if (i > 0) {
      EXPECT_LE(values<uint32_t>(out)[0], 4 * device->caps().computeUnits);
    }
  }
}

/// Runs `body` in a forked child under a time limit and returns its exit status.
template <typename Body> int inChild(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    isForked = true;
    alarm(20);
    _exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define QUERN_NO_FORK 1
#endif
#endif

class ForkTest : public PoolTest {
protected:
  void SetUp() override {
#ifdef QUERN_NO_FORK
    GTEST_SKIP() << "ThreadSanitizer does not follow threads that a forked child starts";
#endif
  }
};

TEST_F(ForkTest, ChildRunsItsOwnCommands) {
  ASSERT_EQ(run(device::CallHost{[] {}}), CL_COMPLETE); // the parent has threads
  EXPECT_EQ(inChild([&] {
              CommandProbe call(device::CallHost{[] {}}), small;
              queue->submit(call);
              queue->submit(small);
              queue->flush();
              call.wait();
              small.waitHelping(*device, *queue);
              return call.status == CL_COMPLETE && small.status == CL_COMPLETE ? 0 : 1;
            }),
            0);
  EXPECT_EQ(run(device::CallHost{[] {}}), CL_COMPLETE);
}

TEST_F(ForkTest, WhatRanInTheParentEndsWithAnErrorInTheChild) {
  std::atomic<int> state = 0;
  CommandProbe lengthy(device::CallHost{[&] {
    state = 1;
    state.notify_all();
    state.wait(1);
  }});
  queue->submit(lengthy);
  queue->flush();
  state.wait(0);
  EXPECT_EQ(inChild([&] {
              queue->flush();
              lengthy.wait();
              return lengthy.status == CL_OUT_OF_RESOURCES ? 0 : 1;
            }),
            0);
  state = 2;
  state.notify_all();
  lengthy.wait();
  EXPECT_EQ(lengthy.status, CL_COMPLETE);
}

TEST_F(ForkTest, ProcessEndsWhileCommandsRun) {
  EXPECT_EQ(inChild([&] {
              CommandProbe* const endless =
                  new CommandProbe(device::CallHost{[] { std::atomic<int>(0).wait(0); }});
              queue->submit(*endless);
              queue->flush();
              std::exit(7); // with atexit handlers and static destructors
              return 0;
            }),
            7);
}

} // namespace
} // namespace quern::test
