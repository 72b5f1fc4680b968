// Launches on a GPU, one behind the other and without events, that differ in their arguments, with
// the stand-in for NVIDIA's driver (tests/backend/fake_driver), which knows what the kernel here
// does.
#include "program_fixture.h"

namespace quern::test {
namespace {

class GpuLaunchTest : public testing::Test {
protected:
  static constexpr size_t count = 64;

  void SetUp() override {
    const char* source = R"(
      kernel void store_sum(global uint* to, uint index, uint value, global const uint* from) {
        to[index] = from[0] + value;
      })";
    ASSERT_EQ(CL_SUCCESS, clGetDeviceIDs(quernPlatform(), CL_DEVICE_TYPE_GPU, 1, &device, nullptr));
    context = Context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr));
    queue = Queue(clCreateCommandQueueWithProperties(context.get(), device, nullptr, nullptr));
    program = Program(clCreateProgramWithSource(context.get(), 1, &source, nullptr, nullptr));
    ASSERT_EQ(CL_SUCCESS, clBuildProgram(program.get(), 1, &device, "", nullptr, nullptr));
    kernel = Kernel(clCreateKernel(program.get(), "store_sum", nullptr));
  }

  Memory makeBuffer(cl_uint first = 0) const {
    std::vector<cl_uint> values(count);
    values[0] = first;
    return Memory(clCreateBuffer(context.get(), CL_MEM_COPY_HOST_PTR, count * sizeof(cl_uint),
                                 values.data(), nullptr));
  }
  std::vector<cl_uint> contents(const Memory& buffer) const {
    std::vector<cl_uint> values(count);
    EXPECT_EQ(CL_SUCCESS,
              clEnqueueReadBuffer(queue.get(), buffer.get(), CL_TRUE, 0, count * sizeof(cl_uint),
                                  values.data(), 0, nullptr, nullptr));
    return values;
  }
  void setBuffers(const Memory& to, const Memory& from) const {
    cl_mem handle = to.get();
    EXPECT_EQ(CL_SUCCESS, clSetKernelArg(kernel.get(), 0, sizeof(handle), &handle));
    handle = from.get();
    EXPECT_EQ(CL_SUCCESS, clSetKernelArg(kernel.get(), 3, sizeof(handle), &handle));
  }
  void setValues(cl_uint index, cl_uint value) const {
    EXPECT_EQ(CL_SUCCESS, clSetKernelArg(kernel.get(), 1, sizeof(index), &index));
    EXPECT_EQ(CL_SUCCESS, clSetKernelArg(kernel.get(), 2, sizeof(value), &value));
  }
  cl_int launch(size_t size = 1) const {
    return clEnqueueNDRangeKernel(queue.get(), kernel.get(), 1, nullptr, &size, nullptr, 0, nullptr,
                                  nullptr);
  }

  cl_device_id device = nullptr;
  Context context;
  Queue queue;
  Program program;
  Kernel kernel;
};

TEST_F(GpuLaunchTest, EachLaunchHasTheValuesThatWereSetBeforeIt) {
  const Memory to = makeBuffer(), from = makeBuffer(1000);
  setBuffers(to, from);
  std::vector<cl_uint> expected(count);
  for (cl_uint i = 0; i < 5000; ++i) {
    setValues(i % count, i);
    ASSERT_EQ(CL_SUCCESS, launch(1 + i / 100 % 2));
    expected[i % count] = 1000 + i;
  }
  EXPECT_EQ(expected, contents(to));
}

TEST_F(GpuLaunchTest, BuffersMaySwap) {
  const Memory a = makeBuffer(5), b = makeBuffer(7);
  std::vector<cl_uint> inA(count), inB(count);
  inA[0] = 5;
  inB[0] = 7;
  for (cl_uint i = 0; i < 3000; ++i) {
    const bool toB = i % 3 != 0;
    setBuffers(toB ? b : a, toB ? a : b);
    setValues(i % count, i);
    ASSERT_EQ(CL_SUCCESS, launch());
    (toB ? inB : inA)[i % count] = (toB ? inA : inB)[0] + i;
  }
  EXPECT_EQ(inA, contents(a));
  EXPECT_EQ(inB, contents(b));
}

/// Memory that is free is soon the next buffer's.
TEST_F(GpuLaunchTest, BuffersLiveUntilAllThatUsesThemHasEnded) {
  const Memory to = makeBuffer();
  std::vector<cl_uint> expected(count);
  for (cl_uint i = 0; i < 1000; ++i) {
    {
      const Memory from = makeBuffer(i);
      setBuffers(to, from);
      for (cl_uint value = 0; value < 3; ++value) {
        const cl_uint index = (3 * i + value) % count;
        setValues(index, value);
        ASSERT_EQ(CL_SUCCESS, launch());
        expected[index] = i + value;
      }
    }
    makeBuffer(~cl_uint{0});
  }
  EXPECT_EQ(expected, contents(to));
}

TEST_F(GpuLaunchTest, ABufferThatIsGoneIsAnErrorWhateverWasLaunchedBefore) {
  const Memory to = makeBuffer();
  {
    const Memory from = makeBuffer();
    setBuffers(to, from);
    setValues(0, 1);
    ASSERT_EQ(CL_SUCCESS, launch());
  }
  ASSERT_EQ(CL_SUCCESS, clFinish(queue.get()));
  EXPECT_EQ(CL_INVALID_KERNEL_ARGS, launch());
  // Those that run now have other buffers.
  Kernel other(clCreateKernel(program.get(), "store_sum", nullptr));
  const Memory from = makeBuffer();
  std::swap(kernel, other);
  setBuffers(to, from);
  setValues(0, 2);
  ASSERT_EQ(CL_SUCCESS, launch());
  std::swap(kernel, other);
  EXPECT_EQ(CL_INVALID_KERNEL_ARGS, launch());
  EXPECT_EQ(2u, contents(to)[0]);
}

} // namespace
} // namespace quern::test
