// Memory and semaphores from outside in contexts with a GPU, which has memory of its own: the
// stand-in for NVIDIA's driver (tests/backend/fake_driver) copies and fills but runs no kernels.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "external_memory_fixture.h"
#include "semaphore_fixture.h"

namespace quern::test {
namespace {

class SharedMemoriesTest : public testing::Test {
protected:
  static constexpr size_t count = 5000, bytes = count * sizeof(cl_int);

  void SetUp() override {
    cl_uint found = 0;
    ASSERT_EQ(CL_SUCCESS, clGetDeviceIDs(quernPlatform(), CL_DEVICE_TYPE_ALL, 2, devices, &found));
    ASSERT_EQ(2u, found);
  }

  /// A context of the first or of the last devices, with a queue and memory for each.
  void begin(size_t first, cl_uint deviceCount) {
    context.reset(
        clCreateContext(nullptr, deviceCount, devices + first, nullptr, nullptr, nullptr));
    ASSERT_TRUE(context);
    for (size_t i = 0; i < deviceCount; ++i)
      queues.emplace_back(
          clCreateCommandQueueWithProperties(context.get(), devices[first + i], nullptr, nullptr));
    buffer = import();
  }
  Memory import() const {
    const cl_mem_properties properties[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                            static_cast<cl_mem_properties>(file.duplicate()), 0};
    cl_int code = 0;
    Memory made(clCreateBufferWithProperties(context.get(), properties, 0, bytes, nullptr, &code));
    EXPECT_EQ(CL_SUCCESS, code);
    return made;
  }
  void handOver(ExternalMemoryFunctions::Enqueue function, size_t queue) {
    const cl_mem list[] = {buffer.get()};
    ASSERT_EQ(CL_SUCCESS, function(queues[queue].get(), 1, list, 0, nullptr, nullptr));
  }
  void fill(size_t queue, cl_int value, size_t from = 0) {
    ASSERT_EQ(CL_SUCCESS, clEnqueueFillBuffer(queues[queue].get(), buffer.get(), &value,
                                              sizeof(value), from * sizeof(value),
                                              bytes - from * sizeof(value), 0, nullptr, nullptr));
  }
  std::vector<cl_int> read(size_t queue) {
    std::vector<cl_int> values(count);
    EXPECT_EQ(CL_SUCCESS, clEnqueueReadBuffer(queues[queue].get(), buffer.get(), CL_TRUE, 0, bytes,
                                              values.data(), 0, nullptr, nullptr));
    return values;
  }
  std::vector<cl_int> outside() const {
    return std::vector<cl_int>(file.as<cl_int>(), file.as<cl_int>() + count);
  }

  const ExternalMemoryFunctions& functions = ExternalMemoryFunctions::get();
  cl_device_id devices[2] = {};
  const SharedFile file{bytes};
  Context context;
  std::vector<Queue> queues;
  Memory buffer;
};

TEST_F(SharedMemoriesTest, areCopiedForAGpuAlone) {
  begin(1, 1);
  std::fill_n(file.as<cl_int>(), count, 3);
  handOver(functions.acquire, 0);
  EXPECT_EQ(std::vector<cl_int>(count, 3), read(0));
  fill(0, 8);
  ASSERT_EQ(CL_SUCCESS, clFinish(queues[0].get()));
  // Not before it is released.
  EXPECT_EQ(3, outside()[0]);
  handOver(functions.release, 0);
  ASSERT_EQ(CL_SUCCESS, clFinish(queues[0].get()));
  EXPECT_EQ(std::vector<cl_int>(count, 8), outside());
  std::fill_n(file.as<cl_int>(), count, -1);
  handOver(functions.acquire, 0);
  EXPECT_EQ(std::vector<cl_int>(count, -1), read(0));
}

TEST_F(SharedMemoriesTest, areBroughtToAGpuBesideTheCpu) {
  begin(0, 2);
  for (const size_t acquiring : {0, 1}) {
    std::fill_n(file.as<cl_int>(), count, 30);
    handOver(functions.acquire, acquiring);
    ASSERT_EQ(CL_SUCCESS, clFinish(queues[acquiring].get()));
    EXPECT_EQ(std::vector<cl_int>(count, 30), read(1));
    fill(1, 31, count / 2);
    ASSERT_EQ(CL_SUCCESS, clFinish(queues[1].get()));
    handOver(functions.release, acquiring);
    ASSERT_EQ(CL_SUCCESS, clFinish(queues[acquiring].get()));
    EXPECT_EQ(30, outside().front());
    EXPECT_EQ(31, outside().back());
  }
}

/// The copies of two buffers go through the same memory, which the driver cannot know.
TEST_F(SharedMemoriesTest, areCopiedFromOneBufferToAnother) {
  begin(1, 1);
  Memory other = import();
  for (cl_int i = 0; i < 20; ++i) {
    fill(0, i);
    handOver(functions.release, 0);
    std::swap(other, buffer);
    handOver(functions.acquire, 0);
    EXPECT_EQ(std::vector<cl_int>(count, i), read(0));
  }
}

TEST_F(SharedMemoriesTest, areNotImportedWithoutCopies) {
  begin(0, 2);
  cl_int code = 0;
  EXPECT_EQ(nullptr, functions.importArm(context.get(), 0, nullptr, file.as<void>(), bytes, &code));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
}

/// What the driver knows and nobody can map: here, a descriptor that forbids writing.
TEST_F(SharedMemoriesTest, areTheDevicesOwnWhereTheDriverImportsThem) {
  context.reset(clCreateContext(nullptr, 1, devices + 1, nullptr, nullptr, nullptr));
  queues.emplace_back(
      clCreateCommandQueueWithProperties(context.get(), devices[1], nullptr, nullptr));
  const int writable = file.duplicate();
  const std::string path = "/proc/self/fd/" + std::to_string(writable);
  const int readable = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  close(writable);
  const cl_mem_properties properties[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                          static_cast<cl_mem_properties>(readable), 0};
  cl_int code = 0;
  buffer.reset(clCreateBufferWithProperties(context.get(), properties, 0, bytes, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  std::fill_n(file.as<cl_int>(), count, 6);
  handOver(functions.acquire, 0);
  EXPECT_EQ(std::vector<cl_int>(count, 6), read(0));
  fill(0, 17);
  ASSERT_EQ(CL_SUCCESS, clFinish(queues[0].get()));
  // No copy lies between.
  EXPECT_EQ(std::vector<cl_int>(count, 17), outside());
  void* const mapped = clEnqueueMapBuffer(queues[0].get(), buffer.get(), CL_TRUE, CL_MAP_READ, 0,
                                          bytes, 0, nullptr, nullptr, &code);
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(17, *static_cast<cl_int*>(mapped));
  ASSERT_EQ(CL_SUCCESS,
            clEnqueueUnmapMemObject(queues[0].get(), buffer.get(), mapped, 0, nullptr, nullptr));
  handOver(functions.release, 0);
  EXPECT_EQ(CL_SUCCESS, clFinish(queues[0].get()));
}

/// What the driver knows as a semaphore: here, a FIFO.
TEST_F(SharedMemoriesTest, semaphoresAreTheDevicesOwnWhereTheDriverImportsThem) {
  begin(1, 1);
  const std::string path = "/tmp/quern-test-fifo-" + std::to_string(getpid());
  ASSERT_EQ(0, mkfifo(path.c_str(), 0600));
  const int outsideEnd = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  const int imported = open(path.c_str(), O_RDWR | O_CLOEXEC);
  unlink(path.c_str());
  const SemaphoreFunctions& semaphores = SemaphoreFunctions::get();
  const auto create = [&](int descriptor, cl_int& code) {
    const SemaphoreProperties properties = {
        CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
        static_cast<cl_semaphore_properties_khr>(descriptor), 0};
    return Semaphore(semaphores.create(context.get(), properties.data(), &code));
  };
  cl_int code = 0;
  const Semaphore foreign = create(imported, code);
  ASSERT_EQ(CL_SUCCESS, code);
  const SemaphoreProperties binary = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
  const Semaphore own(semaphores.create(context.get(), binary.data(), nullptr));
  const cl_semaphore_khr list[] = {foreign.get(), own.get()};
  const auto payload = [&] {
    return info<cl_semaphore_payload_khr>(semaphores.getInfo, foreign.get(),
                                          CL_SEMAPHORE_PAYLOAD_KHR);
  };
  char byte = 0;
  EXPECT_EQ(0u, payload());
  ASSERT_EQ(CL_SUCCESS,
            semaphores.enqueueSignal(queues[0].get(), 2, list, nullptr, 0, nullptr, nullptr));
  ASSERT_EQ(CL_SUCCESS, clFinish(queues[0].get()));
  EXPECT_EQ(1u, payload());
  // Outside, the signal is consumed, and one given.
  EXPECT_EQ(1, ::read(outsideEnd, &byte, 1));
  EXPECT_EQ(-1, ::read(outsideEnd, &byte, 1));
  EXPECT_EQ(1, ::write(outsideEnd, &byte, 1));
  ASSERT_EQ(CL_SUCCESS,
            semaphores.enqueueWait(queues[0].get(), 2, list, nullptr, 0, nullptr, nullptr));
  ASSERT_EQ(CL_SUCCESS, clFinish(queues[0].get()));
  EXPECT_EQ(0u, payload());
  EXPECT_EQ(-1, ::read(outsideEnd, &byte, 1));
  // A FIFO with one end is nothing to the driver.
  int ends[2];
  ASSERT_EQ(0, pipe(ends));
  create(ends[0], code);
  EXPECT_EQ(CL_INVALID_PROPERTY, code);
  for (const int still : {ends[0], ends[1], outsideEnd})
    EXPECT_EQ(0, close(still));
}

TEST_F(SharedMemoriesTest, semaphoresOrderQueuesOfAGpu) {
  begin(1, 1);
  const Queue other(
      clCreateCommandQueueWithProperties(context.get(), devices[1], nullptr, nullptr));
  const SemaphoreFunctions& semaphores = SemaphoreFunctions::get();
  for (const bool isShared : {false, true}) {
    SemaphoreProperties properties = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR};
    if (isShared)
      properties.insert(properties.end(), {CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
                                           CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, 0});
    properties.push_back(0);
    const Semaphore semaphore(semaphores.create(context.get(), properties.data(), nullptr));
    ASSERT_TRUE(semaphore);
    const cl_semaphore_khr list[] = {semaphore.get()};
    for (cl_int i = 0; i < 50; ++i) {
      ASSERT_EQ(CL_SUCCESS,
                semaphores.enqueueWait(other.get(), 1, list, nullptr, 0, nullptr, nullptr));
      fill(0, i);
      ASSERT_EQ(CL_SUCCESS,
                semaphores.enqueueSignal(queues[0].get(), 1, list, nullptr, 0, nullptr, nullptr));
      cl_int value = -1;
      ASSERT_EQ(CL_SUCCESS,
                clEnqueueReadBuffer(other.get(), buffer.get(), CL_TRUE, bytes - sizeof(value),
                                    sizeof(value), &value, 0, nullptr, nullptr));
      EXPECT_EQ(i, value);
    }
  }
}

} // namespace
} // namespace quern::test
