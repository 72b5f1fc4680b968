// Command buffers under stress: what they use is released while they are recorded or run, and
// several threads enqueue the same one, also while it changes. About a second; more with
// --gtest_repeat.
#include <numeric>
#include <random>
#include <thread>

#include "command_buffer_fixture.h"

namespace quern::test {
namespace {

constexpr size_t threadCount = 4, items = 64;
constexpr int rounds = 60;

class CommandBufferStress : public CommandBufferTest {
protected:
  static constexpr const char* source = R"(
kernel void tally(global int* sums, int number) {
  atomic_add(sums + get_global_id(0) % 16, number);
}
)";

  void SetUp() override {
    CommandBufferTest::SetUp();
    program = buildProgram(source);
  }
  Memory zeros() { return makeBuffer(std::vector<cl_int>(16, 0)); }
  static cl_int sumOf(const std::vector<cl_int>& values) {
    return std::accumulate(values.begin(), values.end(), 0);
  }
  template <typename Function> void onThreads(Function function) {
    std::vector<std::thread> threads;
    for (size_t i = 0; i < threadCount; ++i)
      threads.emplace_back([=] { function(i); });
    for (std::thread& thread : threads)
      thread.join();
  }

  Program program;
};

TEST_F(CommandBufferStress, whatItUsesIsReleasedMeanwhile) {
  onThreads([this](size_t thread) {
    std::minstd_rand random(static_cast<uint32_t>(thread + 1));
    for (int round = 0; round < rounds; ++round) {
      Queue own = makeQueue(random() % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
      CommandBuffer buffer = makeCommandBuffer({own.get()});
      const Memory last = zeros();
      const size_t launches = 1 + random() % 40;
      Memory sums = zeros();
      std::vector<cl_sync_point_khr> points;
      for (size_t i = 0; i < launches; ++i) {
        const Kernel kernel = makeKernel(program, "tally");
        setArguments(kernel, sums.get(), cl_int{1});
        points.push_back(launch(buffer, kernel, items, random() % 2 ? points : decltype(points)()));
      }
      EXPECT_EQ(CL_SUCCESS, khr::CommandBarrierWithWaitList(buffer.get(), nullptr, nullptr, 0,
                                                            nullptr, nullptr, nullptr));
      EXPECT_EQ(CL_SUCCESS,
                khr::CommandCopyBuffer(buffer.get(), nullptr, nullptr, sums.get(), last.get(), 0, 0,
                                       64, 0, nullptr, nullptr, nullptr));
      sums.reset(); // recorded: kept
      finalize(buffer);
      Event event = enqueue(buffer);
      event = enqueue(buffer, &event); // both copy to the same memory
      buffer.reset();
      if (random() % 2)
        clFlush(own.get());
      own.reset();
      const cl_event list[] = {event.get()};
      EXPECT_EQ(CL_SUCCESS, clWaitForEvents(1, list));
      EXPECT_LE(static_cast<cl_int>(launches * items), sumOf(contents<cl_int>(last.get())));
    }
  });
}

TEST_F(CommandBufferStress, severalThreadsEnqueueTheSame) {
  const CommandBuffer buffer =
      makeCommandBuffer({queue.get()}, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
  const Memory sums = zeros();
  const Kernel kernel = makeKernel(program, "tally");
  setArguments(kernel, sums.get(), cl_int{1});
  constexpr int launches = 20;
  for (int i = 0; i < launches; ++i)
    launch(buffer, kernel, items);
  finalize(buffer);
  onThreads([&](size_t thread) {
    const Queue own = makeQueue(thread % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    cl_command_queue queues[] = {own.get()};
    for (int round = 0; round < rounds; ++round)
      EXPECT_EQ(CL_SUCCESS,
                khr::EnqueueCommandBuffer(1, queues, buffer.get(), 0, nullptr, nullptr));
    EXPECT_EQ(CL_SUCCESS, clFinish(own.get()));
  });
  EXPECT_EQ(static_cast<cl_int>(threadCount * rounds * launches * items),
            sumOf(contents<cl_int>(sums.get())));
}

TEST_F(CommandBufferStress, launchesChangeWhileOthersEnqueue) {
  const CommandBuffer buffer = makeCommandBuffer(
      {queue.get()}, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR);
  const Memory sums[] = {zeros(), zeros()};
  const Kernel kernel = makeKernel(program, "tally");
  setArguments(kernel, sums[0].get(), cl_int{1});
  std::vector<cl_mutable_command_khr> handles(10);
  for (cl_mutable_command_khr& handle : handles)
    launch(buffer, kernel, items, {}, &handle);
  finalize(buffer);
  onThreads([&](size_t thread) {
    const Queue own = makeQueue();
    cl_command_queue queues[] = {own.get()};
    for (size_t round = 0; round < rounds; ++round) {
      cl_mem memory = sums[round % 2].get();
      const ChangedArgument argument = {0, sizeof(memory), &memory};
      const ChangedLaunch changed = {.command = handles[(thread + round) % handles.size()],
                                     .argumentCount = 1,
                                     .arguments = &argument};
      const cl_uint type = 0;
      const void* config = &changed;
      EXPECT_EQ(CL_SUCCESS, khr::UpdateMutableCommands(buffer.get(), 1, &type, &config));
      EXPECT_EQ(CL_SUCCESS,
                khr::EnqueueCommandBuffer(1, queues, buffer.get(), 0, nullptr, nullptr));
    }
    EXPECT_EQ(CL_SUCCESS, clFinish(own.get()));
  });
  EXPECT_EQ(static_cast<cl_int>(threadCount * rounds * handles.size() * items),
            sumOf(contents<cl_int>(sums[0].get())) + sumOf(contents<cl_int>(sums[1].get())));
}

} // namespace
} // namespace quern::test
