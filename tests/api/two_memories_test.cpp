// A context whose devices have memories of their own: the CPU, and a GPU with the stand-in for
// NVIDIA's driver (tests/backend/fake_driver), which copies and fills but runs no kernels.
#include <algorithm>
#include <numeric>

#include "opencl_test.h"

namespace quern::test {
namespace {

class TwoMemoriesTest : public testing::Test {
protected:
  void SetUp() override {
    cl_uint count = 0;
    ASSERT_EQ(CL_SUCCESS,
              clGetDeviceIDs(quernPlatform(), CL_DEVICE_TYPE_ALL, 2, devices.data(), &count));
    ASSERT_EQ(2u, count);
    context.reset(clCreateContext(nullptr, 2, devices.data(), nullptr, nullptr, nullptr));
    for (size_t i = 0; i < 2; ++i)
      queues[i].reset(
          clCreateCommandQueueWithProperties(context.get(), devices[i], nullptr, nullptr));
    values.resize(1000);
    std::iota(values.begin(), values.end(), 0);
    buffer = make(CL_MEM_COPY_HOST_PTR);
  }

  Memory make(cl_mem_flags flags) {
    return Memory(clCreateBuffer(context.get(), flags, values.size() * sizeof(cl_int),
                                 values.data(), nullptr));
  }
  std::vector<cl_int> read(size_t queue, cl_mem from) {
    std::vector<cl_int> result(values.size());
    EXPECT_EQ(CL_SUCCESS, clEnqueueReadBuffer(queues[queue].get(), from, CL_TRUE, 0,
                                              result.size() * sizeof(cl_int), result.data(), 0,
                                              nullptr, nullptr));
    return result;
  }
  /// Fills elements from `first` on with `value`, after `wait` if that is given.
  Event fill(size_t queue, size_t first, cl_int value, const Event* wait = nullptr) {
    const cl_event list[] = {wait ? wait->get() : nullptr};
    cl_event event = nullptr;
    EXPECT_EQ(CL_SUCCESS,
              clEnqueueFillBuffer(queues[queue].get(), buffer.get(), &value, sizeof(value),
                                  first * sizeof(cl_int), (values.size() - first) * sizeof(cl_int),
                                  wait ? 1 : 0, wait ? list : nullptr, &event));
    std::fill(values.begin() + static_cast<ptrdiff_t>(first), values.end(), value);
    return Event(event);
  }

  std::array<cl_device_id, 2> devices = {};
  Context context;
  std::array<Queue, 2> queues;
  std::vector<cl_int> values;
  Memory buffer;
};

TEST_F(TwoMemoriesTest, eachDeviceSeesWhatTheOtherWrote) {
  EXPECT_EQ(values, read(1, buffer.get()));
  Event last;
  for (size_t i = 0; i < 50; ++i)
    last = fill(i % 2, i * 10, static_cast<cl_int>(1000 + i), last ? &last : nullptr);
  clFlush(queues[0].get());
  clFlush(queues[1].get());
  const cl_event list[] = {last.get()};
  clWaitForEvents(1, list);
  EXPECT_EQ(values, read(0, buffer.get()));
  EXPECT_EQ(values, read(1, buffer.get()));
}

TEST_F(TwoMemoriesTest, commandsThatWaitForAUserEventMoveTheBytesThen) {
  const Event user(clCreateUserEvent(context.get(), nullptr));
  const Event first = fill(1, 500, -1, &user);
  const Event second = fill(0, 900, -2, &first);
  clFlush(queues[1].get());
  clFlush(queues[0].get());
  clSetUserEventStatus(user.get(), CL_COMPLETE);
  const cl_event list[] = {second.get()};
  EXPECT_EQ(CL_SUCCESS, clWaitForEvents(1, list));
  EXPECT_EQ(values, read(1, buffer.get()));
}

TEST_F(TwoMemoriesTest, mapsShowAndChangeTheBytesOfBoth) {
  for (const size_t mapper : {0, 1}) {
    clFinish(queues[1 - mapper].get());
    fill(1 - mapper, 100, static_cast<cl_int>(7 + mapper));
    clFinish(queues[1 - mapper].get());
    cl_int code = 1;
    auto* mapped = static_cast<cl_int*>(clEnqueueMapBuffer(queues[mapper].get(), buffer.get(),
                                                           CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 400,
                                                           400, 0, nullptr, nullptr, &code));
    ASSERT_EQ(CL_SUCCESS, code);
    EXPECT_TRUE(std::equal(mapped, mapped + 100, values.begin() + 100));
    std::fill(mapped, mapped + 100, -5);
    std::fill_n(values.begin() + 100, 100, -5);
    // By the other queue: the mapping belongs to the buffer.
    clEnqueueUnmapMemObject(queues[1 - mapper].get(), buffer.get(), mapped, 0, nullptr, nullptr);
    clFinish(queues[1 - mapper].get());
    EXPECT_EQ(values, read(mapper, buffer.get()));
    EXPECT_EQ(values, read(1 - mapper, buffer.get()));
  }
}

TEST_F(TwoMemoriesTest, mapsShowWhatTheirQueueWasGivenBefore) {
  for (const cl_int value : {7, 8, 9}) {
    fill(1, 100, value);
    cl_int code = 1;
    auto* mapped = static_cast<cl_int*>(clEnqueueMapBuffer(queues[1].get(), buffer.get(), CL_TRUE,
                                                           CL_MAP_READ | CL_MAP_WRITE, 0, 4000, 0,
                                                           nullptr, nullptr, &code));
    ASSERT_EQ(CL_SUCCESS, code);
    EXPECT_TRUE(std::equal(values.begin(), values.end(), mapped));
    mapped[500] = values[500] = -value;
    clEnqueueUnmapMemObject(queues[1].get(), buffer.get(), mapped, 0, nullptr, nullptr);
    fill(1, 900, value + 1);
    EXPECT_EQ(values, read(1, buffer.get()));
  }
}

TEST_F(TwoMemoriesTest, imageMapsShowWhatTheirQueueWasGivenBefore) {
  const cl_image_format format = {CL_R, CL_SIGNED_INT32};
  const cl_image_desc description = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = 64};
  const Memory image(
      clCreateImage(context.get(), CL_MEM_READ_WRITE, &format, &description, nullptr, nullptr));
  const size_t origin[] = {0, 0, 0}, region[] = {64, 64, 1};
  const std::array<cl_int, 4> colour = {42, 0, 0, 1};
  ASSERT_EQ(CL_SUCCESS, clEnqueueFillImage(queues[1].get(), image.get(), colour.data(), origin,
                                           region, 0, nullptr, nullptr));
  size_t pitch = 0;
  const auto* mapped = static_cast<const cl_int*>(
      clEnqueueMapImage(queues[1].get(), image.get(), CL_TRUE, CL_MAP_READ, origin, region, &pitch,
                        nullptr, 0, nullptr, nullptr, nullptr));
  ASSERT_NE(nullptr, mapped);
  for (size_t y = 0; y < 64; ++y)
    for (size_t x = 0; x < 64; ++x)
      ASSERT_EQ(42, mapped[y * pitch / sizeof(cl_int) + x]);
}

TEST_F(TwoMemoriesTest, theProgramsMemoryIsTheHostsCopy) {
  const Memory used = make(CL_MEM_USE_HOST_PTR);
  const cl_int zero = 0;
  clEnqueueFillBuffer(queues[1].get(), used.get(), &zero, sizeof(zero), 0, 400, 0, nullptr,
                      nullptr);
  clFinish(queues[1].get());
  void* mapped = clEnqueueMapBuffer(queues[1].get(), used.get(), CL_TRUE, CL_MAP_READ, 0, 4000, 0,
                                    nullptr, nullptr, nullptr);
  EXPECT_EQ(values.data(), mapped);
  EXPECT_EQ(0, values[99]);
  EXPECT_EQ(100, values[100]);
}

/// The program may not look at its memory without a map: here it tells where the bytes are.
TEST_F(TwoMemoriesTest, migrationBringsTheBytes) {
  const Memory used = make(CL_MEM_USE_HOST_PTR);
  const cl_mem list[] = {used.get()};
  const auto migrate = [&](cl_mem_migration_flags flags) {
    EXPECT_EQ(CL_SUCCESS,
              clEnqueueMigrateMemObjects(queues[1].get(), 1, list, flags, 0, nullptr, nullptr));
    clFinish(queues[1].get());
  };
  const auto fillOnTheGpu = [&](cl_int value) {
    clEnqueueFillBuffer(queues[1].get(), used.get(), &value, sizeof(value), 0, 4000, 0, nullptr,
                        nullptr);
  };
  fillOnTheGpu(1);
  migrate(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED);
  EXPECT_EQ(0, values[0]);
  EXPECT_EQ(999, values[999]);
  migrate(CL_MIGRATE_MEM_OBJECT_HOST);
  EXPECT_EQ(std::vector<cl_int>(1000, 1), values);
  // The CPU's copy is the newer one until the bytes have been brought.
  const cl_int two = 2, three = 3;
  clEnqueueFillBuffer(queues[0].get(), used.get(), &two, sizeof(two), 0, 4000, 0, nullptr, nullptr);
  clFinish(queues[0].get());
  migrate(0);
  std::ranges::fill(values, three);
  EXPECT_EQ(std::vector<cl_int>(1000, two), read(1, used.get()));
}

TEST_F(TwoMemoriesTest, subBuffersShareTheBytes) {
  const cl_buffer_region region = {1024, 1024};
  const Memory sub(
      clCreateSubBuffer(buffer.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  const cl_int value = 3;
  clEnqueueFillBuffer(queues[1].get(), sub.get(), &value, sizeof(value), 0, 1024, 0, nullptr,
                      nullptr);
  clFinish(queues[1].get());
  std::fill_n(values.begin() + 256, 256, 3);
  EXPECT_EQ(values, read(0, buffer.get()));
}

TEST_F(TwoMemoriesTest, devicesThatWorkOnPartsKeepEachOthersBytes) {
  const size_t half = 512 * sizeof(cl_int);
  std::array<Memory, 2> parts;
  for (size_t i = 0; i < 2; ++i) {
    const cl_buffer_region region = {i * half,
                                     i == 0 ? half : values.size() * sizeof(cl_int) - half};
    parts[i].reset(
        clCreateSubBuffer(buffer.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  }
  // Nothing orders the two queues.
  for (cl_int round = 0; round < 100; ++round) {
    for (size_t i = 0; i < 2; ++i) {
      const cl_int value = 10 * round + static_cast<cl_int>(i);
      const size_t first = static_cast<size_t>(round);
      ASSERT_EQ(CL_SUCCESS,
                clEnqueueFillBuffer(queues[i].get(), parts[i].get(), &value, sizeof(value),
                                    first * sizeof(value), sizeof(value), 0, nullptr, nullptr));
      values[i * 512 + first] = value;
    }
  }
  clFinish(queues[0].get());
  clFinish(queues[1].get());
  EXPECT_EQ(values, read(0, buffer.get()));
  EXPECT_EQ(values, read(1, buffer.get()));
}

} // namespace
} // namespace quern::test
