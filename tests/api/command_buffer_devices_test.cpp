// Command buffers whose commands are for several devices with memories of their own
// (cl_khr_command_buffer_multi_device): the CPU, and a GPU with the stand-in for NVIDIA's driver.
#include <algorithm>

#include "command_buffer_fixture.h"

namespace quern::test {
namespace {

class CommandBufferDevicesTest : public testing::Test {
protected:
  static constexpr size_t count = 1000;

  void SetUp() override {
    cl_uint found = 0;
    ASSERT_EQ(CL_SUCCESS,
              clGetDeviceIDs(quernPlatform(), CL_DEVICE_TYPE_ALL, 2, devices.data(), &found));
    ASSERT_EQ(2u, found);
    context.reset(clCreateContext(nullptr, 2, devices.data(), nullptr, nullptr, nullptr));
    for (size_t i = 0; i < 2; ++i)
      queues[i] = makeQueue(i);
    first = makeBuffer();
    second = makeBuffer();
  }
  Queue makeQueue(size_t device, cl_command_queue_properties properties = 0) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    return Queue(clCreateCommandQueueWithProperties(context.get(), devices[device], list, nullptr));
  }
  Memory makeBuffer() {
    return Memory(clCreateBuffer(context.get(), CL_MEM_READ_WRITE, count * 4, nullptr, nullptr));
  }
  CommandBuffer make(const std::vector<cl_command_queue>& list) {
    cl_int code = 1;
    CommandBuffer made(
        khr::CreateCommandBuffer(static_cast<cl_uint>(list.size()), list.data(), nullptr, &code));
    EXPECT_EQ(CL_SUCCESS, code);
    return made;
  }
  cl_sync_point_khr fill(const CommandBuffer& buffer, const Queue& queue, const Memory& memory,
                         cl_int value, size_t from = 0,
                         const std::vector<cl_sync_point_khr>& waits = {}) {
    cl_sync_point_khr point = 0;
    EXPECT_EQ(CL_SUCCESS, khr::CommandFillBuffer(
                              buffer.get(), queue.get(), nullptr, memory.get(), &value, 4, from * 4,
                              (count - from) * 4, static_cast<cl_uint>(waits.size()),
                              waits.empty() ? nullptr : waits.data(), &point, nullptr));
    return point;
  }
  cl_sync_point_khr copy(const CommandBuffer& buffer, const Queue& queue, const Memory& from,
                         const Memory& to, const std::vector<cl_sync_point_khr>& waits = {}) {
    cl_sync_point_khr point = 0;
    EXPECT_EQ(CL_SUCCESS,
              khr::CommandCopyBuffer(buffer.get(), queue.get(), nullptr, from.get(), to.get(), 0, 0,
                                     count * 4, static_cast<cl_uint>(waits.size()),
                                     waits.empty() ? nullptr : waits.data(), &point, nullptr));
    return point;
  }
  void run(const CommandBuffer& buffer) {
    cl_event event = nullptr;
    ASSERT_EQ(CL_SUCCESS, khr::EnqueueCommandBuffer(0, nullptr, buffer.get(), 0, nullptr, &event));
    const Event owned(event);
    EXPECT_EQ(CL_SUCCESS, clWaitForEvents(1, &event));
  }
  std::vector<cl_int> read(size_t queue, const Memory& memory) {
    std::vector<cl_int> values(count);
    EXPECT_EQ(CL_SUCCESS, clEnqueueReadBuffer(queues[queue].get(), memory.get(), CL_TRUE, 0,
                                              count * 4, values.data(), 0, nullptr, nullptr));
    return values;
  }
  std::vector<cl_int> allOf(cl_int value) { return std::vector<cl_int>(count, value); }
  cl_int remapCode(const CommandBuffer& buffer, cl_bool automatic,
                   const std::vector<cl_command_queue>& list) {
    cl_int code = 1;
    const CommandBuffer made(
        khr::RemapCommandBuffer(buffer.get(), automatic, static_cast<cl_uint>(list.size()),
                                list.empty() ? nullptr : list.data(), 0, nullptr, nullptr, &code));
    EXPECT_EQ(code == CL_SUCCESS, made != nullptr);
    return code;
  }

  std::array<cl_device_id, 2> devices = {};
  Context context;
  std::array<Queue, 2> queues;
  Memory first, second;
};

TEST_F(CommandBufferDevicesTest, syncPointsOrderCommandsOfTwoDevices) {
  const CommandBuffer buffer = make({queues[0].get(), queues[1].get()});
  std::vector<cl_sync_point_khr> last;
  for (cl_int i = 0; i < 20; ++i) {
    last = {fill(buffer, queues[i % 2], first, i, static_cast<size_t>(i) * 10, last)};
    last = {copy(buffer, queues[1 - i % 2], first, second, last)};
  }
  ASSERT_EQ(CL_SUCCESS, khr::FinalizeCommandBuffer(buffer.get()));
  std::vector<cl_int> expected(count);
  for (cl_int i = 0; i < 20; ++i)
    std::fill(expected.begin() + i * 10, expected.end(), i);
  for (int round = 0; round < 3; ++round) {
    run(buffer);
    EXPECT_EQ(expected, read(0, second));
    EXPECT_EQ(expected, read(1, second));
  }
}

TEST_F(CommandBufferDevicesTest, barriersAreForAllQueues) {
  const Queue unordered = makeQueue(0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const CommandBuffer buffer = make({unordered.get(), queues[1].get()});
  fill(buffer, unordered, first, 5);
  EXPECT_EQ(CL_SUCCESS, khr::CommandBarrierWithWaitList(buffer.get(), unordered.get(), nullptr, 0,
                                                        nullptr, nullptr, nullptr));
  copy(buffer, queues[1], first, second);
  ASSERT_EQ(CL_SUCCESS, khr::FinalizeCommandBuffer(buffer.get()));
  run(buffer);
  EXPECT_EQ(allOf(5), read(0, second));
}

TEST_F(CommandBufferDevicesTest, allQueuesTakePart) {
  const Queue profiling = makeQueue(1, CL_QUEUE_PROFILING_ENABLE);
  const CommandBuffer buffer = make({queues[0].get(), profiling.get()});
  copy(buffer, queues[0], first, second);
  ASSERT_EQ(CL_SUCCESS, khr::FinalizeCommandBuffer(buffer.get()));
  // What was enqueued before to either queue comes first, and what comes later waits.
  const Event user(clCreateUserEvent(context.get(), nullptr));
  const cl_event wait = user.get();
  const cl_int three = 3, four = 4;
  clEnqueueFillBuffer(profiling.get(), first.get(), &three, 4, 0, count * 4, 1, &wait, nullptr);
  cl_event event = nullptr;
  ASSERT_EQ(CL_SUCCESS, khr::EnqueueCommandBuffer(0, nullptr, buffer.get(), 0, nullptr, &event));
  const Event owned(event);
  clEnqueueFillBuffer(profiling.get(), first.get(), &four, 4, 0, count * 4, 0, nullptr, nullptr);
  EXPECT_EQ(nullptr, info<cl_command_queue>(clGetEventInfo, event, CL_EVENT_COMMAND_QUEUE));
  clSetUserEventStatus(user.get(), CL_COMPLETE);
  clFinish(profiling.get());
  clFinish(queues[0].get());
  EXPECT_EQ(allOf(3), read(0, second));
  EXPECT_EQ(allOf(4), read(0, first));
  const auto time = [&](cl_uint name) {
    return info<cl_ulong>(clGetEventProfilingInfo, event, name);
  };
  EXPECT_LE(time(CL_PROFILING_COMMAND_SUBMIT), time(CL_PROFILING_COMMAND_START));
  EXPECT_LE(time(CL_PROFILING_COMMAND_START), time(CL_PROFILING_COMMAND_END));
}

TEST_F(CommandBufferDevicesTest, remappedCommandsRunOnOtherDevices) {
  const CommandBuffer buffer = make({queues[0].get()});
  fill(buffer, queues[0], first, 8);
  copy(buffer, queues[0], first, second);
  ASSERT_EQ(CL_SUCCESS, khr::FinalizeCommandBuffer(buffer.get()));
  const cl_command_queue targets[] = {queues[1].get()};
  cl_int code = 1;
  const CommandBuffer remapped(
      khr::RemapCommandBuffer(buffer.get(), CL_FALSE, 1, targets, 0, nullptr, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  cl_command_queue queue = nullptr;
  EXPECT_EQ(CL_SUCCESS, khr::GetCommandBufferInfo(remapped.get(), CL_COMMAND_BUFFER_QUEUES_KHR,
                                                  sizeof(queue), &queue, nullptr));
  EXPECT_EQ(queues[1].get(), queue);
  run(remapped);
  EXPECT_EQ(allOf(8), read(1, second));
  run(buffer);

  // Without anybody's choice, and before it is finalized.
  const CommandBuffer open = make({queues[0].get(), queues[1].get()});
  const cl_sync_point_khr point = fill(open, queues[1], first, 9);
  copy(open, queues[0], first, second, {point});
  const CommandBuffer chosen(
      khr::RemapCommandBuffer(open.get(), CL_TRUE, 1, targets, 0, nullptr, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  fill(chosen, queues[1], second, 10, 500);
  ASSERT_EQ(CL_SUCCESS, khr::FinalizeCommandBuffer(chosen.get()));
  run(chosen);
  std::vector<cl_int> expected = allOf(9);
  std::fill(expected.begin() + 500, expected.end(), 10);
  EXPECT_EQ(expected, read(0, second));
}

TEST_F(CommandBufferDevicesTest, errors) {
  cl_command_queue both[] = {queues[0].get(), queues[1].get()};
  cl_int code = 1;
  const cl_properties list[] = {CL_COMMAND_BUFFER_FLAGS_KHR, deviceSideSync, 0};
  EXPECT_FALSE(khr::CreateCommandBuffer(2, both, list, &code));
  EXPECT_EQ(CL_INCOMPATIBLE_COMMAND_QUEUE_KHR, code);
  const CommandBuffer native(khr::CreateCommandBuffer(1, both, list, &code));
  EXPECT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(CL_INCOMPATIBLE_COMMAND_QUEUE_KHR,
            remapCode(native, CL_TRUE, {queues[0].get(), queues[1].get()}));
  ASSERT_EQ(CL_SUCCESS, khr::FinalizeCommandBuffer(native.get()));
  // Another device than the one that it was made for.
  EXPECT_EQ(CL_INVALID_DEVICE,
            khr::EnqueueCommandBuffer(1, both + 1, native.get(), 0, nullptr, nullptr));

  EXPECT_EQ(CL_INVALID_VALUE, remapCode(native, CL_FALSE, {}));
  EXPECT_EQ(CL_INVALID_VALUE, remapCode(native, CL_FALSE, {both[0], both[1]}));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, remapCode(native, CL_FALSE, {nullptr}));
  const Context elsewhere(clCreateContext(nullptr, 1, devices.data(), nullptr, nullptr, nullptr));
  const Queue foreign(
      clCreateCommandQueueWithProperties(elsewhere.get(), devices[0], nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_CONTEXT, remapCode(native, CL_FALSE, {foreign.get()}));
  const auto withHandles = [&](cl_uint length, const cl_mutable_command_khr* handles,
                               cl_mutable_command_khr* remapped) {
    const CommandBuffer made(
        khr::RemapCommandBuffer(native.get(), CL_FALSE, 1, both, length, handles, remapped, &code));
    return code;
  };
  cl_mutable_command_khr handle = nullptr;
  EXPECT_EQ(CL_INVALID_VALUE, withHandles(1, nullptr, &handle));
  EXPECT_EQ(CL_INVALID_VALUE, withHandles(1, &handle, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, withHandles(0, &handle, &handle));
  EXPECT_EQ(CL_INVALID_VALUE, withHandles(1, &handle, &handle));
  EXPECT_EQ(CL_SUCCESS, withHandles(0, nullptr, nullptr));
  EXPECT_FALSE(khr::RemapCommandBuffer(nullptr, CL_FALSE, 1, both, 0, nullptr, nullptr, &code));
  EXPECT_EQ(CL_INVALID_COMMAND_BUFFER_KHR, code);
}

} // namespace
} // namespace quern::test
