// Command buffers as objects: creation, their order of commands, enqueues, queries.
#include "command_buffer_fixture.h"

#include <algorithm>
#include <numeric>

namespace quern::test {
namespace {

class CommandBufferObjectTest : public CommandBufferTest {
protected:
  static constexpr const char* source = R"(
kernel void add(global int* data, int number) { data[get_global_id(0)] += number; }
kernel void scale(global int* data, int number) { data[get_global_id(0)] *= number; }
kernel void copyFrom(global const int* from, global int* to) {
  to[get_global_id(0)] = from[get_global_id(0)];
}
kernel void sum(global const int* from, global int* to) {
  int sum = 0;
  for (int i = 0; i < 1000; ++i) sum += from[i];
  to[get_global_id(0)] = sum;
}
)";
  static constexpr size_t count = 1000;

  void SetUp() override {
    CommandBufferTest::SetUp();
    program = buildProgram(source);
    data = makeBuffer(std::vector<cl_int>(count, 0));
  }
  Kernel make(const char* name, cl_int number) {
    Kernel kernel = makeKernel(program, name);
    setArguments(kernel, data.get(), number);
    return kernel;
  }
  template <typename T> T query(const CommandBuffer& buffer, cl_uint name) {
    T value = {};
    size_t size = 0;
    EXPECT_EQ(CL_SUCCESS, khr::GetCommandBufferInfo(buffer.get(), name, sizeof(T), &value, &size));
    EXPECT_EQ(sizeof(T), size);
    return value;
  }
  cl_int createWith(const std::vector<cl_properties>& list) {
    const cl_command_queue queues[] = {queue.get()};
    cl_int code = 1;
    const CommandBuffer made(khr::CreateCommandBuffer(1, queues, list.data(), &code));
    EXPECT_EQ(code == CL_SUCCESS, made != nullptr);
    return code;
  }

  Program program;
  Memory data;
};

TEST_F(CommandBufferObjectTest, anInOrderQueueMakesAChain) {
  const CommandBuffer buffer = makeCommandBuffer();
  std::vector<Kernel> kernels;
  cl_int expected = 0;
  for (cl_int i = 0; i < 100; ++i) {
    kernels.push_back(make(i % 2 ? "scale" : "add", i % 2 ? 3 : i));
    launch(buffer, kernels.back(), count);
    expected = static_cast<cl_int>(static_cast<cl_uint>(i % 2 ? expected * 3u : expected + i * 1u));
  }
  finalize(buffer);
  run(buffer);
  EXPECT_EQ(std::vector<cl_int>(count, expected), contents<cl_int>(data.get()));
}

TEST_F(CommandBufferObjectTest, syncPointsOrderAnOutOfOrderQueue) {
  const Queue unordered = makeQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const CommandBuffer buffer = makeCommandBuffer({unordered.get()});
  std::vector<cl_sync_point_khr> last;
  for (cl_int i = 0; i < 50; ++i) {
    last = {launch(buffer, make("add", 1), count, last)};
    last = {launch(buffer, make("scale", 2), count, last)};
  }
  finalize(buffer);
  cl_uint expected = 0;
  for (int round = 0; round < 5; ++round) {
    run(buffer);
    for (int i = 0; i < 50; ++i)
      expected = (expected + 1) * 2;
  }
  EXPECT_EQ(std::vector<cl_uint>(count, expected), contents<cl_uint>(data.get()));
}

/// A thousand small launches that may run at the same time, then one that needs all of them.
TEST_F(CommandBufferObjectTest, barriersWaitForAllBeforeAndHoldUpAllBehind) {
  const Queue unordered = makeQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const CommandBuffer buffer = makeCommandBuffer({unordered.get()});
  const Memory sums = makeBuffer(count * sizeof(cl_int));
  const Kernel add = make("add", 1), sum = makeKernel(program, "sum");
  for (size_t i = 0; i < count; ++i) {
    const size_t one = 1;
    EXPECT_EQ(CL_SUCCESS,
              khr::CommandNDRangeKernel(buffer.get(), nullptr, nullptr, add.get(), 1, &i, &one,
                                        nullptr, 0, nullptr, nullptr, nullptr));
  }
  EXPECT_EQ(CL_SUCCESS, khr::CommandBarrierWithWaitList(buffer.get(), nullptr, nullptr, 0, nullptr,
                                                        nullptr, nullptr));
  setArguments(sum, data.get(), sums.get());
  launch(buffer, sum, count);
  finalize(buffer);
  for (cl_int round = 1; round <= 40; ++round) {
    run(buffer);
    ASSERT_EQ(std::vector<cl_int>(count, round * static_cast<cl_int>(count)),
              contents<cl_int>(sums.get()));
  }
}

TEST_F(CommandBufferObjectTest, recordsTheKernelAsItIs) {
  const CommandBuffer buffer = makeCommandBuffer();
  const Kernel add = make("add", 1);
  launch(buffer, add, count);
  setArguments(add, data.get(), cl_int{10});
  launch(buffer, add, count);
  setArguments(add, data.get(), cl_int{100});
  finalize(buffer);
  run(buffer);
  EXPECT_EQ(11, contents<cl_int>(data.get())[3]);
}

TEST_F(CommandBufferObjectTest, anEmptyOneEnds) {
  const CommandBuffer buffer = makeCommandBuffer();
  finalize(buffer);
  run(buffer);
  run(buffer);
}

TEST_F(CommandBufferObjectTest, waitsForEventsAndIsWaitedFor) {
  const CommandBuffer buffer = makeCommandBuffer();
  launch(buffer, make("add", 1), count);
  finalize(buffer);
  const Event user = makeUserEvent();
  const Event first = enqueue(buffer, &user), second = enqueue(buffer, &first);
  EXPECT_EQ(CL_QUEUED, statusOf(first));
  clSetUserEventStatus(user.get(), CL_COMPLETE);
  const cl_event list[] = {second.get()};
  EXPECT_EQ(CL_SUCCESS, clWaitForEvents(1, list));
  EXPECT_EQ(CL_COMPLETE, statusOf(first));
  EXPECT_EQ(2, contents<cl_int>(data.get())[0]);
}

TEST_F(CommandBufferObjectTest, aFailedEventIsItsFailure) {
  const CommandBuffer buffer = makeCommandBuffer();
  launch(buffer, make("add", 1), count);
  finalize(buffer);
  const Event user = makeUserEvent();
  const Event event = enqueue(buffer, &user);
  clSetUserEventStatus(user.get(), -5);
  const cl_event list[] = {event.get()};
  EXPECT_EQ(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, list));
  EXPECT_EQ(0, contents<cl_int>(data.get())[0]);
}

TEST_F(CommandBufferObjectTest, eventsSayWhatItIs) {
  const CommandBuffer buffer = makeCommandBuffer();
  finalize(buffer);
  const Event event = enqueue(buffer);
  EXPECT_EQ(static_cast<cl_command_type>(CL_COMMAND_COMMAND_BUFFER_KHR),
            info<cl_command_type>(clGetEventInfo, event.get(), CL_EVENT_COMMAND_TYPE));
  EXPECT_EQ(queue.get(),
            info<cl_command_queue>(clGetEventInfo, event.get(), CL_EVENT_COMMAND_QUEUE));
}

TEST_F(CommandBufferObjectTest, timesRise) {
  const Queue profiling = makeQueue(CL_QUEUE_PROFILING_ENABLE);
  const CommandBuffer buffer = makeCommandBuffer({profiling.get()});
  for (int i = 0; i < 10; ++i)
    launch(buffer, make("add", i), count);
  finalize(buffer);
  for (int round = 0; round < 50; ++round) {
    const Event event = enqueue(buffer);
    clFinish(profiling.get());
    std::vector<cl_ulong> times;
    for (const cl_uint name :
         {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
          CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_COMPLETE})
      times.push_back(info<cl_ulong>(clGetEventProfilingInfo, event.get(), name));
    EXPECT_TRUE(std::ranges::is_sorted(times));
    EXPECT_LT(0u, times.front());
  }
}

TEST_F(CommandBufferObjectTest, keepsWhatItUses) {
  CommandBuffer buffer;
  {
    const Queue other = makeQueue();
    buffer = makeCommandBuffer({other.get()});
    launch(buffer, make("add", 5), count);
  }
  finalize(buffer);
  program.reset();
  run(buffer);
  EXPECT_EQ(5, contents<cl_int>(data.get())[0]);
}

TEST_F(CommandBufferObjectTest, runsAfterItsRelease) {
  CommandBuffer buffer = makeCommandBuffer();
  launch(buffer, make("add", 5), count);
  finalize(buffer);
  const Event user = makeUserEvent();
  const Event event = enqueue(buffer, &user);
  buffer.reset();
  clSetUserEventStatus(user.get(), CL_COMPLETE);
  EXPECT_EQ(5, contents<cl_int>(data.get())[0]);
}

TEST_F(CommandBufferObjectTest, anotherQueueCanRunIt) {
  const CommandBuffer buffer = makeCommandBuffer();
  launch(buffer, make("add", 5), count);
  finalize(buffer);
  const Queue other = makeQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_command_queue queues[] = {other.get()};
  EXPECT_EQ(CL_SUCCESS, khr::EnqueueCommandBuffer(1, queues, buffer.get(), 0, nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS, clFinish(other.get()));
  EXPECT_EQ(5, contents<cl_int>(data.get())[0]);
}

TEST_F(CommandBufferObjectTest, retainAndRelease) {
  const CommandBuffer buffer = makeCommandBuffer();
  EXPECT_EQ(1u, query<cl_uint>(buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR));
  EXPECT_EQ(CL_SUCCESS, khr::RetainCommandBuffer(buffer.get()));
  EXPECT_EQ(2u, query<cl_uint>(buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR));
  EXPECT_EQ(CL_SUCCESS, khr::ReleaseCommandBuffer(buffer.get()));
  EXPECT_EQ(1u, query<cl_uint>(buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR));
  for (const auto wrong : {static_cast<cl_command_buffer_khr>(nullptr),
                           foreignHandle<cl_command_buffer_khr>(context)}) {
    EXPECT_EQ(CL_INVALID_COMMAND_BUFFER_KHR, khr::RetainCommandBuffer(wrong));
    EXPECT_EQ(CL_INVALID_COMMAND_BUFFER_KHR, khr::ReleaseCommandBuffer(wrong));
    EXPECT_EQ(CL_INVALID_COMMAND_BUFFER_KHR, khr::FinalizeCommandBuffer(wrong));
  }
}

TEST_F(CommandBufferObjectTest, queries) {
  const CommandBuffer buffer = makeCommandBuffer({queue.get()}, CL_COMMAND_BUFFER_MUTABLE_KHR);
  EXPECT_EQ(1u, query<cl_uint>(buffer, CL_COMMAND_BUFFER_NUM_QUEUES_KHR));
  EXPECT_EQ(queue.get(), query<cl_command_queue>(buffer, CL_COMMAND_BUFFER_QUEUES_KHR));
  EXPECT_EQ(context.get(), query<cl_context>(buffer, commandBufferContext));
  using Properties = std::array<cl_properties, 3>;
  EXPECT_EQ((Properties{CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR, 0}),
            query<Properties>(buffer, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR));
  EXPECT_EQ(cl_uint{CL_COMMAND_BUFFER_STATE_RECORDING_KHR}, stateOf(buffer));
  finalize(buffer);
  EXPECT_EQ(cl_uint{CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR}, stateOf(buffer));
  EXPECT_EQ(CL_INVALID_OPERATION, khr::FinalizeCommandBuffer(buffer.get()));

  const auto ask = [](cl_command_buffer_khr which, cl_uint name, size_t size, void* value,
                      size_t* sizeRet) {
    return khr::GetCommandBufferInfo(which, name, size, value, sizeRet);
  };
  expectQueryErrors(ask, buffer.get(), CL_COMMAND_BUFFER_STATE_KHR);
  EXPECT_EQ(CL_INVALID_COMMAND_BUFFER_KHR, ask(foreignHandle<cl_command_buffer_khr>(context),
                                               CL_COMMAND_BUFFER_STATE_KHR, 0, nullptr, nullptr));
}

TEST_F(CommandBufferObjectTest, creationErrors) {
  cl_int code = 1;
  const cl_command_queue queues[] = {queue.get(), queue.get()};
  EXPECT_FALSE(khr::CreateCommandBuffer(0, queues, nullptr, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  EXPECT_FALSE(khr::CreateCommandBuffer(1, nullptr, nullptr, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  const cl_command_queue wrong[] = {queue.get(), nullptr};
  EXPECT_FALSE(khr::CreateCommandBuffer(2, wrong, nullptr, &code));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, code);
  const Queue foreign(
      clCreateCommandQueueWithProperties(otherContext.get(), device, nullptr, nullptr));
  const cl_command_queue mixed[] = {queue.get(), foreign.get()};
  EXPECT_FALSE(khr::CreateCommandBuffer(2, mixed, nullptr, &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, code);
  EXPECT_TRUE(CommandBuffer(khr::CreateCommandBuffer(2, queues, nullptr, nullptr)));

  EXPECT_EQ(CL_SUCCESS, createWith({0}));
  EXPECT_EQ(CL_SUCCESS, createWith({CL_COMMAND_BUFFER_FLAGS_KHR, 7, bufferAsserts, 1, 0}));
  EXPECT_EQ(CL_INVALID_VALUE, createWith({CL_COMMAND_BUFFER_FLAGS_KHR, 1 << 9, 0}));
  EXPECT_EQ(CL_INVALID_VALUE, createWith({bufferAsserts, 2, 0}));
  EXPECT_EQ(CL_INVALID_VALUE, createWith({0x4711, 0, 0}));
  EXPECT_EQ(CL_INVALID_VALUE,
            createWith({CL_COMMAND_BUFFER_FLAGS_KHR, 1, CL_COMMAND_BUFFER_FLAGS_KHR, 1, 0}));
}

TEST_F(CommandBufferObjectTest, enqueueErrors) {
  const CommandBuffer buffer = makeCommandBuffer();
  const auto tryEnqueue = [&](std::vector<cl_command_queue> queues) {
    return khr::EnqueueCommandBuffer(static_cast<cl_uint>(queues.size()), queues.data(),
                                     buffer.get(), 0, nullptr, nullptr);
  };
  EXPECT_EQ(CL_INVALID_OPERATION, tryEnqueue({queue.get()}));
  finalize(buffer);
  EXPECT_EQ(CL_SUCCESS, tryEnqueue({queue.get()}));
  EXPECT_EQ(CL_INVALID_VALUE,
            khr::EnqueueCommandBuffer(1, nullptr, buffer.get(), 0, nullptr, nullptr));
  cl_command_queue own[] = {queue.get()};
  EXPECT_EQ(CL_INVALID_VALUE, khr::EnqueueCommandBuffer(0, own, buffer.get(), 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, tryEnqueue({queue.get(), queue.get()}));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, tryEnqueue({nullptr}));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, tryEnqueue({foreignHandle<cl_command_queue>(context)}));
  const Queue foreign(
      clCreateCommandQueueWithProperties(otherContext.get(), device, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_CONTEXT, tryEnqueue({foreign.get()}));
  EXPECT_EQ(CL_INVALID_COMMAND_BUFFER_KHR,
            khr::EnqueueCommandBuffer(0, nullptr, nullptr, 0, nullptr, nullptr));
  const cl_event none[] = {nullptr};
  for (const auto& [length, list] :
       {std::pair<cl_uint, const cl_event*>{1, nullptr}, {0, none}, {1, none}})
    EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST,
              khr::EnqueueCommandBuffer(0, nullptr, buffer.get(), length, list, nullptr));
  const Event elsewhere(clCreateUserEvent(otherContext.get(), nullptr));
  const cl_event others[] = {elsewhere.get()};
  EXPECT_EQ(CL_INVALID_CONTEXT,
            khr::EnqueueCommandBuffer(0, nullptr, buffer.get(), 1, others, nullptr));
}

TEST_F(CommandBufferObjectTest, devicesAndPlatformSayWhatTheyCan) {
  const auto ask = [&](cl_uint name) { return info<cl_bitfield>(clGetDeviceInfo, device, name); };
  EXPECT_EQ(CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR |
                CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR |
                CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR | multipleQueues,
            ask(CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR));
  EXPECT_EQ(0u, ask(CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR));
  EXPECT_EQ(cl_bitfield{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE},
            ask(supportedQueueProperties));
  EXPECT_EQ(31u, ask(CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR));
  EXPECT_EQ(1u, info<cl_uint>(clGetDeviceInfo, device, numSyncDevices));
  EXPECT_EQ(device, info<cl_device_id>(clGetDeviceInfo, device, syncDevices));
  EXPECT_EQ(7u, info<cl_bitfield>(clGetPlatformInfo, platform, platformCommandBufferCapabilities));
}

} // namespace
} // namespace quern::test
