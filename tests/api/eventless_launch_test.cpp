// Small launches, one behind the other, for which the program wants no event: to an in-order queue
// they are parts of few commands, which must not show.
#include <atomic>
#include <numeric>
#include <thread>

#include "program_fixture.h"

namespace quern::test {
namespace {

class EventlessLaunchTest : public ProgramTest {
protected:
  static constexpr size_t items = 64;

  void SetUp() override {
    ProgramTest::SetUp();
    program = buildProgram(R"(
      kernel void advance(global uint* values, uint factor, uint summand) {
        size_t i = get_global_id(0);
        values[i] = values[i] * factor + summand + (uint)get_global_offset(0);
      }
      kernel void move(global const uint* from, global uint* to) {
        size_t i = get_global_id(0);
        to[i] = from[i] * 3 + 1;
      })");
    advance = makeKernel(program, "advance");
    move = makeKernel(program, "move");
    // Launches join others only where their kernel is known to be quick.
    const Memory buffer = makeBuffer(std::vector<cl_uint>(items));
    setArguments(advance, buffer.get(), cl_uint{1}, cl_uint{1});
    run(advance, items);
    setArguments(move, buffer.get(), buffer.get());
    run(move, items);
  }

  static void launch(const Queue& queue, const Kernel& kernel, size_t offset = 0) {
    const size_t size = items - offset;
    ASSERT_EQ(CL_SUCCESS, clEnqueueNDRangeKernel(queue.get(), kernel.get(), 1, &offset, &size,
                                                 nullptr, 0, nullptr, nullptr));
  }

  /// 100 times `advance` by 1 on `buffer`, held back by `event`.
  void launchBehind(const Event& event, const Memory& buffer) {
    setArguments(advance, buffer.get(), cl_uint{1}, cl_uint{1});
    const cl_event events[] = {event.get()};
    ASSERT_EQ(CL_SUCCESS, clEnqueueBarrierWithWaitList(queue.get(), 1, events, nullptr));
    for (int i = 0; i < 100; ++i)
      launch(queue, advance);
  }

  Program program;
  Kernel advance, move;
};

TEST_F(EventlessLaunchTest, EachLaunchHasItsOwnArgumentsAndRange) {
  std::vector<cl_uint> expected(items, 1);
  const Memory buffer = makeBuffer(expected);
  for (cl_uint i = 0; i < 5000; ++i) {
    const cl_uint factor = i % 7 == 0 ? 3 : 1, summand = i / 5;
    const size_t offset = i % 3;
    setArguments(advance, buffer.get(), factor, summand);
    launch(queue, advance, offset);
    for (size_t item = offset; item < items; ++item)
      expected[item] = expected[item] * factor + summand + static_cast<cl_uint>(offset);
  }
  EXPECT_EQ(expected, contents<cl_uint>(buffer.get()));
}

TEST_F(EventlessLaunchTest, TheSameLaunchRunsAgainAndAgain) {
  for (const cl_uint count : {1u, 2u, 3u, 31u, 512u, 513u, 514u, 3000u}) {
    const Memory buffer = makeBuffer(std::vector<cl_uint>(items));
    setArguments(advance, buffer.get(), cl_uint{1}, cl_uint{2});
    for (cl_uint i = 0; i < count; ++i)
      launch(queue, advance);
    EXPECT_EQ(std::vector<cl_uint>(items, 2 * count), contents<cl_uint>(buffer.get()));
  }
}

TEST_F(EventlessLaunchTest, BuffersMaySwapAndKernelsMayAlternate) {
  const Memory a = makeBuffer(std::vector<cl_uint>(items, 1));
  const Memory b = makeBuffer(std::vector<cl_uint>(items));
  setArguments(advance, b.get(), cl_uint{5}, cl_uint{7});
  cl_uint inA = 1, inB = 0;
  for (int i = 0; i < 2000; ++i) {
    const bool toB = i % 2 == 0;
    setArguments(move, (toB ? a : b).get(), (toB ? b : a).get());
    launch(queue, move);
    launch(queue, advance);
    (toB ? inB : inA) = (toB ? inA : inB) * 3 + 1;
    inB = inB * 5 + 7;
  }
  EXPECT_EQ(std::vector<cl_uint>(items, inA), contents<cl_uint>(a.get()));
  EXPECT_EQ(std::vector<cl_uint>(items, inB), contents<cl_uint>(b.get()));
}

TEST_F(EventlessLaunchTest, OtherCommandsKeepTheirPlace) {
  const Memory buffer = makeBuffer(std::vector<cl_uint>(items));
  setArguments(advance, buffer.get(), cl_uint{2}, cl_uint{1});
  std::vector<cl_uint> expected, seen(600);
  cl_uint value = 0;
  for (size_t i = 0; i < seen.size(); ++i) {
    for (size_t launches = 0; launches < i % 5; ++launches) {
      launch(queue, advance);
      value = value * 2 + 1;
    }
    ASSERT_EQ(CL_SUCCESS, clEnqueueReadBuffer(queue.get(), buffer.get(), CL_FALSE, 0,
                                              sizeof(cl_uint), &seen[i], 0, nullptr, nullptr));
    expected.push_back(value);
  }
  ASSERT_EQ(CL_SUCCESS, clFinish(queue.get()));
  EXPECT_EQ(expected, seen);
}

TEST_F(EventlessLaunchTest, EventsOfLaterCommandsStandForThem) {
  const Queue other = makeQueue();
  const Memory buffer = makeBuffer(std::vector<cl_uint>(items));
  setArguments(advance, buffer.get(), cl_uint{1}, cl_uint{1});
  for (cl_uint round = 1; round <= 100; ++round) {
    for (int i = 0; i < 10; ++i)
      launch(queue, advance);
    cl_event marker = nullptr;
    ASSERT_EQ(CL_SUCCESS, clEnqueueMarkerWithWaitList(queue.get(), 0, nullptr, &marker));
    const Event owner(marker);
    cl_uint value = 0;
    ASSERT_EQ(CL_SUCCESS, clEnqueueReadBuffer(other.get(), buffer.get(), CL_TRUE, 0, sizeof(value),
                                              &value, 1, &marker, nullptr));
    EXPECT_EQ(10 * round, value);
  }
}

TEST_F(EventlessLaunchTest, RunsAfterAUserEvent) {
  const Memory buffer = makeBuffer(std::vector<cl_uint>(items));
  const Event user = makeUserEvent();
  launchBehind(user, buffer);
  ASSERT_EQ(CL_SUCCESS, clFlush(queue.get()));
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(user.get(), CL_COMPLETE));
  EXPECT_EQ(std::vector<cl_uint>(items, 100), contents<cl_uint>(buffer.get()));
}

/// The order of a queue does not carry failure.
TEST_F(EventlessLaunchTest, RunsAfterACommandThatFailed) {
  const Memory buffer = makeBuffer(std::vector<cl_uint>(items));
  const Event user = makeUserEvent();
  launchBehind(user, buffer);
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(user.get(), -1));
  EXPECT_EQ(std::vector<cl_uint>(items, 100), contents<cl_uint>(buffer.get()));
}

TEST_F(EventlessLaunchTest, KeepsMemoryUntilItHasEndedAndNoLonger) {
  std::atomic<int> released = 0;
  constexpr int buffers = 40;
  const Event user = makeUserEvent();
  const cl_event events[] = {user.get()};
  ASSERT_EQ(CL_SUCCESS, clEnqueueBarrierWithWaitList(queue.get(), 1, events, nullptr));
  for (int i = 0; i < buffers; ++i) {
    const Memory buffer = makeBuffer(std::vector<cl_uint>(items));
    ASSERT_EQ(CL_SUCCESS,
              clSetMemObjectDestructorCallback(
                  buffer.get(), [](cl_mem, void* data) { ++*static_cast<std::atomic<int>*>(data); },
                  &released));
    setArguments(advance, buffer.get(), cl_uint{1}, cl_uint{1});
    launch(queue, advance);
    launch(queue, advance);
  }
  EXPECT_EQ(0, released);
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(user.get(), CL_COMPLETE));
  ASSERT_EQ(CL_SUCCESS, clFinish(queue.get()));
  // The callbacks have a thread of their own; this one's comes after them.
  std::atomic<bool> isLast = false;
  cl_event marker = nullptr;
  ASSERT_EQ(CL_SUCCESS, clEnqueueMarkerWithWaitList(queue.get(), 0, nullptr, &marker));
  const Event owner(marker);
  ASSERT_EQ(CL_SUCCESS, clSetEventCallback(
                            marker, CL_COMPLETE,
                            [](cl_event, cl_int, void* data) {
                              auto& flag = *static_cast<std::atomic<bool>*>(data);
                              flag = true;
                              flag.notify_all();
                            },
                            &isLast));
  isLast.wait(false);
  EXPECT_EQ(buffers, released);
}

TEST_F(EventlessLaunchTest, ProfilingQueuesCountEveryLaunch) {
  const Queue profiling = makeQueue(CL_QUEUE_PROFILING_ENABLE);
  const Memory buffer = makeBuffer(std::vector<cl_uint>(items));
  setArguments(advance, buffer.get(), cl_uint{1}, cl_uint{1});
  cl_ulong before = 0;
  for (int i = 0; i < 50; ++i) {
    launch(profiling, advance);
    cl_event event = nullptr;
    const size_t size = items;
    ASSERT_EQ(CL_SUCCESS, clEnqueueNDRangeKernel(profiling.get(), advance.get(), 1, nullptr, &size,
                                                 nullptr, 0, nullptr, &event));
    const Event owner(event);
    ASSERT_EQ(CL_SUCCESS, clWaitForEvents(1, &event));
    const auto start =
        info<cl_ulong>(clGetEventProfilingInfo, event, cl_uint{CL_PROFILING_COMMAND_START});
    EXPECT_LE(before, start);
    before = info<cl_ulong>(clGetEventProfilingInfo, event, cl_uint{CL_PROFILING_COMMAND_END});
    EXPECT_LE(start, before);
  }
}

TEST_F(EventlessLaunchTest, ThreadsShareAQueue) {
  constexpr int threads = 4;
  constexpr cl_uint rounds = 2000;
  std::vector<Memory> buffers;
  std::vector<Kernel> kernels;
  for (int i = 0; i < threads; ++i) {
    buffers.push_back(makeBuffer(std::vector<cl_uint>(items)));
    kernels.push_back(makeKernel(program, "advance"));
  }
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i)
    running.emplace_back([&, i] {
      for (cl_uint round = 0; round < rounds; ++round) {
        setArguments(kernels[i], buffers[i].get(), cl_uint{1}, round % 4);
        launch(queue, kernels[i]);
        if (round % 500 == 499) {
          EXPECT_EQ(CL_SUCCESS, clFinish(queue.get()));
        }
      }
    });
  for (std::thread& thread : running)
    thread.join();
  for (const Memory& buffer : buffers)
    EXPECT_EQ(std::vector<cl_uint>(items, rounds / 4 * 6), contents<cl_uint>(buffer.get()));
}

/// A kernel that is made where another one was has nothing of that one's launches.
TEST_F(EventlessLaunchTest, NewKernelsAreNotTakenForOldOnes) {
  const Memory buffer = makeBuffer(std::vector<cl_uint>(items));
  for (cl_uint i = 0; i < 300; ++i) {
    const Kernel kernel = makeKernel(program, "advance");
    setArguments(kernel, buffer.get(), cl_uint{1}, i);
    launch(queue, kernel);
  }
  EXPECT_EQ(std::vector<cl_uint>(items, 300 * 299 / 2), contents<cl_uint>(buffer.get()));
}

} // namespace
} // namespace quern::test
