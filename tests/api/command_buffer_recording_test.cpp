// What can be recorded into command buffers, with the errors of each function.
#include "command_buffer_fixture.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace quern::test {
namespace {

constexpr size_t origin[3] = {0, 0, 0}, region[3] = {16, 16, 1};

class CommandBufferRecordingTest : public CommandBufferTest {
protected:
  static constexpr const char* source = R"(
kernel void add(global int* data, int number) { data[get_global_id(0)] += number; }
kernel __attribute__((reqd_work_group_size(4, 1, 1))) void required(global int* data) {
  data[get_global_id(0)] = (int)get_local_size(0);
}
kernel void say(int number) { printf("<%d>", number); }
)";
  static constexpr size_t count = 256;

  void SetUp() override {
    CommandBufferTest::SetUp();
    program = buildProgram(source);
    std::vector<cl_int> values(count);
    std::iota(values.begin(), values.end(), 1);
    from = makeBuffer(values);
    to = makeBuffer(std::vector<cl_int>(count, 0));
    buffer = makeCommandBuffer();
  }
  Memory makeImage(cl_context where) {
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc description = {};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = description.image_height = 16;
    return Memory(clCreateImage(where, CL_MEM_READ_WRITE, &format, &description, nullptr, nullptr));
  }
  std::vector<cl_int> iota() const {
    std::vector<cl_int> values(count);
    std::iota(values.begin(), values.end(), 1);
    return values;
  }

  Program program;
  Memory from, to;
  CommandBuffer buffer;
};

TEST_F(CommandBufferRecordingTest, copiesAndFillsOfBuffers) {
  EXPECT_EQ(CL_SUCCESS, khr::CommandCopyBuffer(buffer.get(), nullptr, nullptr, from.get(), to.get(),
                                               0, 0, count * 4, 0, nullptr, nullptr, nullptr));
  const cl_int pattern = -7;
  EXPECT_EQ(CL_SUCCESS, khr::CommandFillBuffer(buffer.get(), nullptr, nullptr, to.get(), &pattern,
                                               4, 40, 80, 0, nullptr, nullptr, nullptr));
  const size_t source[3] = {0, 1, 0}, target[3] = {8, 2, 0}, size[3] = {16, 2, 1};
  EXPECT_EQ(CL_SUCCESS,
            khr::CommandCopyBufferRect(buffer.get(), nullptr, nullptr, from.get(), to.get(), source,
                                       target, size, 64, 0, 64, 0, 0, nullptr, nullptr, nullptr));
  finalize(buffer);
  run(buffer);
  std::vector<cl_int> expected = iota();
  std::fill_n(expected.begin() + 10, 20, -7);
  for (size_t row = 0; row < 2; ++row)
    for (size_t i = 0; i < 4; ++i)
      expected[(2 + row) * 16 + 2 + i] = static_cast<cl_int>((1 + row) * 16 + i + 1);
  EXPECT_EQ(expected, contents<cl_int>(to.get()));
}

TEST_F(CommandBufferRecordingTest, copiesAndFillsOfImages) {
  const Memory first = makeImage(context.get()), second = makeImage(context.get());
  const cl_uint color[4] = {1, 2, 3, 4};
  const size_t corner[3] = {4, 4, 0}, part[3] = {2, 3, 1};
  EXPECT_EQ(CL_SUCCESS,
            khr::CommandCopyBufferToImage(buffer.get(), nullptr, nullptr, from.get(), first.get(),
                                          0, origin, region, 0, nullptr, nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS, khr::CommandFillImage(buffer.get(), nullptr, nullptr, first.get(), color,
                                              corner, part, 0, nullptr, nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS,
            khr::CommandCopyImage(buffer.get(), nullptr, nullptr, first.get(), second.get(), origin,
                                  origin, region, 0, nullptr, nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS,
            khr::CommandCopyImageToBuffer(buffer.get(), nullptr, nullptr, second.get(), to.get(),
                                          origin, region, 0, 0, nullptr, nullptr, nullptr));
  finalize(buffer);
  run(buffer);
  std::vector<cl_int> expected = iota();
  for (size_t y = 4; y < 7; ++y)
    for (size_t x = 4; x < 6; ++x)
      expected[y * 16 + x] = 0x04030201;
  EXPECT_EQ(expected, contents<cl_int>(to.get()));
}

TEST_F(CommandBufferRecordingTest, sharedVirtualMemory) {
  auto* const data =
      static_cast<cl_int*>(clSVMAlloc(context.get(), CL_MEM_READ_WRITE, count * 8, 0));
  ASSERT_TRUE(data);
  const cl_int pattern = 9;
  EXPECT_EQ(CL_SUCCESS, khr::CommandSVMMemFill(buffer.get(), nullptr, nullptr, data, &pattern, 4,
                                               count * 4, 0, nullptr, nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS, khr::CommandSVMMemcpy(buffer.get(), nullptr, nullptr, data + count, data,
                                              count * 4, 0, nullptr, nullptr, nullptr));
  finalize(buffer);
  run(buffer);
  EXPECT_EQ(CL_SUCCESS, clEnqueueSVMMap(queue.get(), CL_TRUE, CL_MAP_READ, data, count * 8, 0,
                                        nullptr, nullptr));
  EXPECT_EQ(ptrdiff_t{2 * count}, std::count(data, data + 2 * count, 9));
  clEnqueueSVMUnmap(queue.get(), data, 0, nullptr, nullptr);
  clFinish(queue.get());
  clSVMFree(context.get(), data);
}

TEST_F(CommandBufferRecordingTest, launchesWithOffsetsAndNone) {
  const Kernel add = makeKernel(program, "add");
  setArguments(add, to.get(), cl_int{3});
  const size_t offset = 10, items = 20, none = 0;
  for (const size_t size : {items, none})
    EXPECT_EQ(CL_SUCCESS,
              khr::CommandNDRangeKernel(buffer.get(), nullptr, nullptr, add.get(), 1, &offset,
                                        &size, nullptr, 0, nullptr, nullptr, nullptr));
  finalize(buffer);
  run(buffer);
  std::vector<cl_int> expected(count, 0);
  std::fill_n(expected.begin() + 10, 20, 3);
  EXPECT_EQ(expected, contents<cl_int>(to.get()));
}

TEST_F(CommandBufferRecordingTest, kernelsPrintInEachRun) {
  for (cl_int i = 0; i < 3; ++i) {
    const Kernel say = makeKernel(program, "say");
    setArguments(say, i);
    launch(buffer, say, 1);
  }
  finalize(buffer);
  testing::internal::CaptureStdout();
  for (int round = 0; round < 3; ++round)
    run(buffer);
  EXPECT_EQ("<0><1><2><0><1><2><0><1><2>", testing::internal::GetCapturedStdout());
}

/// A way to record something, of which all arguments can be chosen that every such function has.
struct Recording {
  const char* name;
  std::function<cl_int(cl_command_buffer_khr, cl_command_queue, const cl_properties*, cl_uint,
                       const cl_sync_point_khr*, cl_mutable_command_khr*)>
      record;
};

class CommandBufferErrorTest : public CommandBufferRecordingTest {
protected:
  void SetUp() override {
    CommandBufferRecordingTest::SetUp();
    add = makeKernel(program, "add");
    setArguments(add, to.get(), cl_int{3});
    image = makeImage(context.get());
    svm = clSVMAlloc(context.get(), CL_MEM_READ_WRITE, count * 8, 0);
  }
  void TearDown() override { clSVMFree(context.get(), svm); }

  std::vector<Recording> all() {
    static constexpr cl_int pattern = 0;
    static constexpr cl_uint color[4] = {};
    static constexpr size_t items = 16, size[3] = {16, 1, 1};
    cl_mem a = from.get(), b = to.get(), i = image.get();
    cl_kernel k = add.get();
    auto* const s = static_cast<char*>(svm);
#define QUERN_RECORD(function, ...)                                                                \
  {                                                                                                \
    #function, [=](auto buffer, auto queue, auto list, auto length, auto waits, auto handle) {     \
      return khr::function(buffer, queue, list __VA_OPT__(, ) __VA_ARGS__, length, waits,          \
                           static_cast<cl_sync_point_khr*>(nullptr), handle);                      \
    }                                                                                              \
  }
    return {QUERN_RECORD(CommandBarrierWithWaitList),
            QUERN_RECORD(CommandCopyBuffer, a, b, 0, 0, 16),
            QUERN_RECORD(CommandCopyBufferRect, a, b, origin, origin, size, 0, 0, 0, 0),
            QUERN_RECORD(CommandCopyBufferToImage, a, i, 0, origin, region),
            QUERN_RECORD(CommandCopyImageToBuffer, i, b, origin, region, 0),
            QUERN_RECORD(CommandFillBuffer, b, &pattern, 4, 0, 16),
            QUERN_RECORD(CommandFillImage, i, color, origin, region),
            QUERN_RECORD(CommandSVMMemcpy, s, s + count * 4, count * 4),
            QUERN_RECORD(CommandSVMMemFill, s, &pattern, 4, 16),
            QUERN_RECORD(CommandNDRangeKernel, k, 1, nullptr, &items, nullptr)};
#undef QUERN_RECORD
  }

  Kernel add;
  Memory image;
  void* svm = nullptr;
};

TEST_F(CommandBufferErrorTest, buffersQueuesListsAndProperties) {
  const Queue other = makeQueue(), foreign(clCreateCommandQueueWithProperties(
                                       otherContext.get(), device, nullptr, nullptr));
  const cl_properties wrong[] = {0x4711, 1, 0}, none[] = {0};
  const cl_sync_point_khr unknown[] = {999}, zero[] = {0};
  for (const auto& [name, record] : all()) {
    SCOPED_TRACE(name);
    const auto with = [&](cl_command_buffer_khr where, cl_command_queue which) {
      return record(where, which, nullptr, 0, nullptr, nullptr);
    };
    EXPECT_EQ(CL_SUCCESS, with(buffer.get(), nullptr));
    EXPECT_EQ(CL_SUCCESS, with(buffer.get(), queue.get()));
    EXPECT_EQ(CL_INVALID_COMMAND_BUFFER_KHR, with(nullptr, nullptr));
    EXPECT_EQ(CL_INVALID_COMMAND_BUFFER_KHR,
              with(foreignHandle<cl_command_buffer_khr>(context), nullptr));
    EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, with(buffer.get(), other.get()));
    EXPECT_EQ(CL_INVALID_COMMAND_QUEUE,
              with(buffer.get(), foreignHandle<cl_command_queue>(context)));
    EXPECT_EQ(CL_INVALID_CONTEXT, with(buffer.get(), foreign.get()));
    const auto waiting = [&](cl_uint length, const cl_sync_point_khr* waits) {
      return record(buffer.get(), nullptr, nullptr, length, waits, nullptr);
    };
    EXPECT_EQ(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, waiting(1, nullptr));
    EXPECT_EQ(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, waiting(0, unknown));
    EXPECT_EQ(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, waiting(1, unknown));
    EXPECT_EQ(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, waiting(1, zero));
    EXPECT_EQ(CL_INVALID_VALUE, record(buffer.get(), nullptr, wrong, 0, nullptr, nullptr));
    EXPECT_EQ(CL_SUCCESS, record(buffer.get(), nullptr, none, 0, nullptr, nullptr));
    if (std::string_view(name) != "CommandNDRangeKernel") {
      cl_mutable_command_khr handle = nullptr;
      EXPECT_EQ(CL_INVALID_VALUE, record(buffer.get(), nullptr, nullptr, 0, nullptr, &handle));
    }
  }
  const CommandBuffer several = makeCommandBuffer({queue.get(), other.get()});
  finalize(buffer);
  for (const auto& [name, record] : all()) {
    SCOPED_TRACE(name);
    EXPECT_EQ(CL_INVALID_COMMAND_QUEUE,
              record(several.get(), nullptr, nullptr, 0, nullptr, nullptr));
    EXPECT_EQ(CL_SUCCESS, record(several.get(), other.get(), nullptr, 0, nullptr, nullptr));
    EXPECT_EQ(CL_INVALID_OPERATION, record(buffer.get(), nullptr, nullptr, 0, nullptr, nullptr));
  }
}

TEST_F(CommandBufferErrorTest, transfersAreCheckedLikeTheirCommands) {
  const Memory foreign(
      clCreateBuffer(otherContext.get(), CL_MEM_READ_WRITE, 1024, nullptr, nullptr));
  const Memory foreignImage = makeImage(otherContext.get());
  const auto copy = [&](cl_mem source, cl_mem target, size_t bytes, size_t offset = 0) {
    return khr::CommandCopyBuffer(buffer.get(), nullptr, nullptr, source, target, 0, offset, bytes,
                                  0, nullptr, nullptr, nullptr);
  };
  EXPECT_EQ(CL_INVALID_CONTEXT, copy(from.get(), foreign.get(), 16));
  EXPECT_EQ(CL_INVALID_CONTEXT, copy(foreign.get(), to.get(), 16));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, copy(nullptr, to.get(), 16));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, copy(from.get(), image.get(), 16));
  EXPECT_EQ(CL_INVALID_VALUE, copy(from.get(), to.get(), count * 4 + 1));
  EXPECT_EQ(CL_MEM_COPY_OVERLAP, copy(from.get(), from.get(), 16, 8));
  const cl_uint color[4] = {};
  EXPECT_EQ(CL_INVALID_CONTEXT,
            khr::CommandFillImage(buffer.get(), nullptr, nullptr, foreignImage.get(), color, origin,
                                  region, 0, nullptr, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE,
            khr::CommandFillImage(buffer.get(), nullptr, nullptr, image.get(), nullptr, origin,
                                  region, 0, nullptr, nullptr, nullptr));
  EXPECT_EQ(CL_MEM_COPY_OVERLAP,
            khr::CommandCopyImage(buffer.get(), nullptr, nullptr, image.get(), image.get(), origin,
                                  origin, region, 0, nullptr, nullptr, nullptr));
  const cl_int pattern = 0;
  EXPECT_EQ(CL_INVALID_VALUE,
            khr::CommandFillBuffer(buffer.get(), nullptr, nullptr, to.get(), &pattern, 3, 0, 12, 0,
                                   nullptr, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, khr::CommandSVMMemcpy(buffer.get(), nullptr, nullptr, nullptr, svm, 4,
                                                    0, nullptr, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, khr::CommandSVMMemFill(buffer.get(), nullptr, nullptr, svm, nullptr,
                                                     4, 16, 0, nullptr, nullptr, nullptr));
}

TEST_F(CommandBufferErrorTest, launchesAreCheckedLikeTheirCommands) {
  const size_t items = 16, three = 3, wrongLocal = 2;
  const auto record = [&](const Kernel& kernel, cl_uint dimensions, const size_t* global,
                          const size_t* local, const cl_properties* list = nullptr) {
    return khr::CommandNDRangeKernel(buffer.get(), nullptr, list, kernel.get(), dimensions, nullptr,
                                     global, local, 0, nullptr, nullptr, nullptr);
  };
  EXPECT_EQ(CL_INVALID_KERNEL, record(Kernel(), 1, &items, nullptr));
  EXPECT_EQ(CL_INVALID_WORK_DIMENSION, record(add, 4, &items, nullptr));
  EXPECT_EQ(CL_INVALID_KERNEL_ARGS, record(makeKernel(program, "add"), 1, &items, nullptr));
  const Kernel required = makeKernel(program, "required");
  setArguments(required, to.get());
  EXPECT_EQ(CL_INVALID_WORK_GROUP_SIZE, record(required, 1, &items, &wrongLocal));
  const cl_properties unknownField[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1 << 20, 0};
  const cl_properties twice[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1,
                                 CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1, 0};
  const cl_properties unknownAssert[] = {launchAsserts, 8, 0}, assert[] = {launchAsserts, 1, 0};
  EXPECT_EQ(CL_INVALID_VALUE, record(add, 1, &items, nullptr, unknownField));
  EXPECT_EQ(CL_INVALID_VALUE, record(add, 1, &items, nullptr, twice));
  EXPECT_EQ(CL_INVALID_VALUE, record(add, 1, &items, nullptr, unknownAssert));
  EXPECT_EQ(CL_INVALID_VALUE, record(add, 1, &items, nullptr, assert));
  EXPECT_EQ(CL_SUCCESS, record(add, 1, &items, &items, assert));
  EXPECT_EQ(CL_SUCCESS, record(add, 1, &three, nullptr));
  const cl_properties bufferAssert[] = {bufferAsserts, 1, 0};
  const cl_command_queue queues[] = {queue.get()};
  const CommandBuffer asserting(khr::CreateCommandBuffer(1, queues, bufferAssert, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE,
            khr::CommandNDRangeKernel(asserting.get(), nullptr, nullptr, add.get(), 1, nullptr,
                                      &items, nullptr, 0, nullptr, nullptr, nullptr));
  const Program foreign = [&] {
    const char* text = source;
    Program made(clCreateProgramWithSource(otherContext.get(), 1, &text, nullptr, nullptr));
    clBuildProgram(made.get(), 0, nullptr, nullptr, nullptr, nullptr);
    return made;
  }();
  EXPECT_EQ(CL_INVALID_CONTEXT, record(makeKernel(foreign, "add"), 1, &items, nullptr));
}

} // namespace
} // namespace quern::test
