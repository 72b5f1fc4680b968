// cl_intel_unified_shared_memory where a device has memory of its own: a GPU with the stand-in for
// NVIDIA's driver, which copies and fills but runs no kernels.
#include <numeric>

#include "program_fixture.h"
#include "unified_memory.h"

namespace quern::test {
namespace {

class UnifiedMemoriesTest : public testing::Test {
protected:
  static constexpr size_t count = 1000, bytes = count * sizeof(cl_int);

  void SetUp() override {
    ASSERT_EQ(CL_SUCCESS, clGetDeviceIDs(quernPlatform(), CL_DEVICE_TYPE_CPU, 1, &cpu, nullptr));
    ASSERT_EQ(CL_SUCCESS, clGetDeviceIDs(quernPlatform(), CL_DEVICE_TYPE_GPU, 1, &gpu, nullptr));
    const cl_device_id devices[] = {cpu, gpu};
    context.reset(clCreateContext(nullptr, 2, devices, nullptr, nullptr, nullptr));
    cpuQueue.reset(clCreateCommandQueueWithProperties(context.get(), cpu, nullptr, nullptr));
    gpuQueue.reset(clCreateCommandQueueWithProperties(context.get(), gpu, nullptr, nullptr));
    values.resize(count);
    std::iota(values.begin(), values.end(), 0);
  }
  UnifiedAllocation onDevice(cl_device_id device) const {
    return {usm, context, usm.deviceAlloc(context.get(), device, nullptr, bytes, 0, nullptr)};
  }
  cl_int copy(const Queue& queue, void* to, const void* from, size_t size = bytes) const {
    return usm.copy(queue.get(), CL_TRUE, to, from, size, 0, nullptr, nullptr);
  }

  const UnifiedMemoryFunctions usm;
  cl_device_id cpu = nullptr, gpu = nullptr;
  Context context;
  Queue cpuQueue, gpuQueue;
  std::vector<cl_int> values;
};

TEST_F(UnifiedMemoriesTest, deviceMemoryIsTheDevicesAlone) {
  constexpr cl_bitfield alone =
      CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL;
  EXPECT_EQ(alone,
            info<cl_bitfield>(clGetDeviceInfo, gpu, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL));
  EXPECT_EQ(
      0u, info<cl_bitfield>(clGetDeviceInfo, gpu, CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL));
}

TEST_F(UnifiedMemoriesTest, deviceMemoryIsCopiedAndFilled) {
  const UnifiedAllocation first = onDevice(gpu), second = onDevice(gpu);
  ASSERT_EQ(CL_SUCCESS, copy(gpuQueue, first.get(), values.data()));
  ASSERT_EQ(CL_SUCCESS, copy(gpuQueue, second.get(), first.get()));
  const cl_int pattern = -1;
  ASSERT_EQ(CL_SUCCESS, usm.fill(gpuQueue.get(), second.as<cl_int>() + 990, &pattern,
                                 sizeof(pattern), 10 * sizeof(pattern), 0, nullptr, nullptr));
  std::vector<cl_int> result(count);
  ASSERT_EQ(CL_SUCCESS,
            copy(gpuQueue, result.data() + 1, second.as<cl_int>() + 1, bytes - sizeof(cl_int)));
  std::fill(values.begin() + 990, values.end(), -1);
  EXPECT_EQ(values, result);
}

TEST_F(UnifiedMemoriesTest, eachDeviceReachesHostAndSharedMemory) {
  const UnifiedAllocation host(usm, context,
                               usm.hostAlloc(context.get(), nullptr, bytes, 0, nullptr));
  const UnifiedAllocation shared(usm, context,
                                 usm.sharedAlloc(context.get(), gpu, nullptr, bytes, 0, nullptr));
  std::copy(values.begin(), values.end(), host.as<cl_int>());
  ASSERT_EQ(CL_SUCCESS, copy(gpuQueue, shared.get(), host.get()));
  EXPECT_TRUE(std::equal(values.begin(), values.end(), shared.as<cl_int>()));
  const cl_int pattern = 3;
  for (const Queue* queue : {&cpuQueue, &gpuQueue}) {
    ASSERT_EQ(CL_SUCCESS, usm.fill(queue->get(), shared.get(), &pattern, sizeof(pattern), bytes / 2,
                                   0, nullptr, nullptr));
    clFinish(queue->get());
    EXPECT_EQ(3, shared.as<cl_int>()[count / 2 - 1]);
    ASSERT_EQ(CL_SUCCESS, copy(*queue, shared.get(), host.get()));
    EXPECT_TRUE(std::equal(values.begin(), values.end(), shared.as<cl_int>()));
  }
}

TEST_F(UnifiedMemoriesTest, queriesFindDeviceMemoryByItsAddress) {
  const UnifiedAllocation memory = onDevice(gpu);
  const auto about = [&](cl_mem_info_intel name, auto value) {
    EXPECT_EQ(CL_SUCCESS, usm.info(context.get(), memory.as<char>() + bytes - 1, name,
                                   sizeof(value), &value, nullptr));
    return value;
  };
  EXPECT_EQ(cl_uint{CL_MEM_TYPE_DEVICE_INTEL}, about(CL_MEM_ALLOC_TYPE_INTEL, cl_uint{0}));
  EXPECT_EQ(memory.get(), about(CL_MEM_ALLOC_BASE_PTR_INTEL, static_cast<void*>(nullptr)));
  EXPECT_EQ(bytes, about(CL_MEM_ALLOC_SIZE_INTEL, size_t{0}));
  EXPECT_EQ(gpu, about(CL_MEM_ALLOC_DEVICE_INTEL, static_cast<cl_device_id>(nullptr)));
}

TEST_F(UnifiedMemoriesTest, otherDevicesRefuseItAndSoDoBuffers) {
  const UnifiedAllocation memory = onDevice(gpu);
  const cl_int pattern = 3;
  EXPECT_EQ(CL_INVALID_OPERATION, copy(cpuQueue, values.data(), memory.get()));
  EXPECT_EQ(CL_INVALID_OPERATION, copy(cpuQueue, memory.get(), values.data()));
  EXPECT_EQ(CL_INVALID_OPERATION, usm.fill(cpuQueue.get(), memory.get(), &pattern, sizeof(pattern),
                                           bytes, 0, nullptr, nullptr));
  // The CPU's own is reached by all.
  const UnifiedAllocation own = onDevice(cpu);
  EXPECT_EQ(CL_SUCCESS, copy(gpuQueue, memory.get(), own.get()));
  for (const cl_mem_flags flags : {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR}) {
    cl_int code = 0;
    const Memory buffer(clCreateBuffer(context.get(), flags, bytes, memory.get(), &code));
    EXPECT_EQ(CL_INVALID_HOST_PTR, code);
  }
}

TEST_F(UnifiedMemoriesTest, freeWaitsForTheDevice) {
  const UnifiedAllocation target = onDevice(gpu);
  void* const memory = usm.deviceAlloc(context.get(), gpu, nullptr, bytes, 0, nullptr);
  ASSERT_NE(nullptr, memory);
  ASSERT_EQ(CL_SUCCESS, copy(gpuQueue, memory, values.data()));
  cl_event event = nullptr;
  ASSERT_EQ(CL_SUCCESS,
            usm.copy(gpuQueue.get(), CL_FALSE, target.get(), memory, bytes, 0, nullptr, &event));
  EXPECT_EQ(CL_SUCCESS, usm.blockingFree(context.get(), memory));
  EXPECT_EQ(CL_COMPLETE, info<cl_int>(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS));
  clReleaseEvent(event);
  std::vector<cl_int> result(count);
  ASSERT_EQ(CL_SUCCESS, copy(gpuQueue, result.data(), target.get()));
  EXPECT_EQ(values, result);
}

} // namespace
} // namespace quern::test
