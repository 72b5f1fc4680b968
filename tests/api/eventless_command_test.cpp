// Commands of an in-order queue of a GPU for which the program wants no event: to the device they
// are a few commands that grow. With the stand-in for NVIDIA's driver (tests/backend/fake_driver),
// which copies and fills but runs no kernels.
#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

#include "opencl_test.h"

namespace quern::test {
namespace {

class EventlessCommandTest : public testing::Test {
protected:
  static constexpr size_t count = 1000, bytes = count * sizeof(cl_int);

  void SetUp() override {
    ASSERT_EQ(CL_SUCCESS, clGetDeviceIDs(quernPlatform(), CL_DEVICE_TYPE_GPU, 1, &device, nullptr));
    context.reset(clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr));
    queue.reset(clCreateCommandQueueWithProperties(context.get(), device, nullptr, nullptr));
  }
  void TearDown() override {
    if (kernel)
      clReleaseKernel(kernel);
    if (program)
      clReleaseProgram(program);
  }

  Memory makeBuffer(cl_int first = 0) {
    std::vector<cl_int> values(count);
    std::iota(values.begin(), values.end(), first);
    return Memory(
        clCreateBuffer(context.get(), CL_MEM_COPY_HOST_PTR, bytes, values.data(), nullptr));
  }
  void copy(const Memory& from, const Memory& to) {
    EXPECT_EQ(CL_SUCCESS, clEnqueueCopyBuffer(queue.get(), from.get(), to.get(), 0, 0, bytes, 0,
                                              nullptr, nullptr));
  }
  cl_int firstOf(const Memory& buffer) {
    cl_int value = -1;
    EXPECT_EQ(CL_SUCCESS, clEnqueueReadBuffer(queue.get(), buffer.get(), CL_TRUE, 0, sizeof(value),
                                              &value, 0, nullptr, nullptr));
    return value;
  }
  /// A kernel with two buffers for arguments.
  void makeKernel() {
    const char* source = "kernel void k(global int* a, global int* b) { a[0] = b[0]; }";
    program = clCreateProgramWithSource(context.get(), 1, &source, nullptr, nullptr);
    ASSERT_EQ(CL_SUCCESS, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
    kernel = clCreateKernel(program, "k", nullptr);
    ASSERT_NE(nullptr, kernel);
  }
  void setArguments(const Memory& a, const Memory& b) {
    cl_mem memory = a.get();
    clSetKernelArg(kernel, 0, sizeof(memory), &memory);
    memory = b.get();
    clSetKernelArg(kernel, 1, sizeof(memory), &memory);
  }
  cl_int launch() {
    const size_t global = 64;
    return clEnqueueNDRangeKernel(queue.get(), kernel, 1, nullptr, &global, nullptr, 0, nullptr,
                                  nullptr);
  }
  static void CL_CALLBACK countReleased(cl_mem, void* data) {
    ++*static_cast<std::atomic<int>*>(data);
  }

  cl_device_id device = nullptr;
  Context context;
  Queue queue;
  cl_program program = nullptr;
  cl_kernel kernel = nullptr;
};

TEST_F(EventlessCommandTest, runInOrder) {
  const Memory a = makeBuffer(1), b = makeBuffer(2), c = makeBuffer(3);
  for (int i = 0; i < 100; ++i) {
    copy(a, b); // 1, then what was in c
    copy(c, a);
    copy(b, c);
  }
  EXPECT_EQ(1, firstOf(a));
  copy(c, a);
  EXPECT_EQ(CL_SUCCESS, clFinish(queue.get()));
  EXPECT_EQ(3, firstOf(a));
}

TEST_F(EventlessCommandTest, fillsTakeTheirTurn) {
  const Memory a = makeBuffer(1), b = makeBuffer(2);
  for (cl_int i = 0; i < 100; ++i) {
    const cl_int pattern[] = {i, -i};
    ASSERT_EQ(CL_SUCCESS,
              clEnqueueFillBuffer(queue.get(), a.get(), pattern, sizeof(pattern), sizeof(pattern),
                                  bytes - sizeof(pattern), 0, nullptr, nullptr));
    copy(i % 2 ? a : b, i % 2 ? b : a);
  }
  EXPECT_EQ(CL_INVALID_VALUE,
            clEnqueueFillBuffer(queue.get(), a.get(), &queue, 3, 0, 3, 0, nullptr, nullptr));
  std::vector<cl_int> values(count), expected(count);
  EXPECT_EQ(CL_SUCCESS, clEnqueueReadBuffer(queue.get(), b.get(), CL_TRUE, 0, bytes, values.data(),
                                            0, nullptr, nullptr));
  for (size_t i = 0; i < count; ++i)
    expected[i] = i < 2 ? 2 + static_cast<cl_int>(i) : i % 2 ? -99 : 99;
  EXPECT_EQ(expected, values);
}

TEST_F(EventlessCommandTest, waitBehindOneThatWaits) {
  const Memory a = makeBuffer(1), b = makeBuffer(2), c = makeBuffer(3);
  copy(a, c);
  const Event gate(clCreateUserEvent(context.get(), nullptr));
  const cl_event list[] = {gate.get()};
  ASSERT_EQ(CL_SUCCESS,
            clEnqueueCopyBuffer(queue.get(), b.get(), a.get(), 0, 0, bytes, 1, list, nullptr));
  copy(a, c);
  clSetUserEventStatus(gate.get(), CL_COMPLETE);
  EXPECT_EQ(2, firstOf(c));
}

TEST_F(EventlessCommandTest, keepTheirMemoryUntilTheyHaveEnded) {
  makeKernel();
  std::atomic<int> released = 0;
  constexpr int rounds = 100;
  for (int i = 0; i < rounds; ++i) {
    const Memory a = makeBuffer(), b = makeBuffer();
    clSetMemObjectDestructorCallback(a.get(), countReleased, &released);
    setArguments(a, b);
    EXPECT_EQ(CL_SUCCESS, launch());
    copy(b, a);
  }
  EXPECT_EQ(CL_SUCCESS, clFinish(queue.get()));
  // Callbacks come on a thread of their own.
  for (int i = 0; i < 10000 && released < rounds; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(rounds, released);
}

TEST_F(EventlessCommandTest, haveTheErrorsOfOthers) {
  makeKernel();
  EXPECT_EQ(CL_INVALID_KERNEL_ARGS, launch()); // never set
  const Memory a = makeBuffer();
  Memory b = makeBuffer();
  setArguments(a, b);
  EXPECT_EQ(CL_SUCCESS, launch());
  EXPECT_EQ(CL_SUCCESS, clFinish(queue.get()));
  b.reset();
  EXPECT_EQ(CL_INVALID_KERNEL_ARGS, launch()); // gone
  EXPECT_EQ(CL_INVALID_VALUE,
            clEnqueueCopyBuffer(queue.get(), a.get(), a.get(), 0, bytes, 1, 0, nullptr, nullptr));
}

TEST_F(EventlessCommandTest, markersStandForThoseBefore) {
  const Memory a = makeBuffer(1), b = makeBuffer(2);
  copy(a, b);
  cl_event event = nullptr;
  ASSERT_EQ(CL_SUCCESS, clEnqueueMarkerWithWaitList(queue.get(), 0, nullptr, &event));
  const Event marker(event);
  const cl_event list[] = {event};
  EXPECT_EQ(CL_SUCCESS, clWaitForEvents(1, list));
  EXPECT_EQ(1, firstOf(b));
}

TEST_F(EventlessCommandTest, queueMayBeReleasedBeforeTheyEnd) {
  const Memory a = makeBuffer(1), b = makeBuffer(2);
  for (int i = 0; i < 50; ++i) {
    queue.reset(clCreateCommandQueueWithProperties(context.get(), device, nullptr, nullptr));
    copy(a, b);
  }
  EXPECT_EQ(1, firstOf(b));
}

} // namespace
} // namespace quern::test
