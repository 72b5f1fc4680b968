// A kernel that makes a GPU fault, with the stand-in for NVIDIA's driver
// (tests/backend/fake_driver): commands get errors from then on, nothing hangs, and other devices
// go on.
#include <unistd.h>

#include "program_fixture.h"

namespace quern::test {
namespace {

const char* faultingSource = "kernel void fault(global int* p) { p[0] = 1; }"
                             "kernel void other(global int* p) { p[0] = 2; }";

class GpuFault {
public:
  explicit GpuFault(cl_device_type type) {
    EXPECT_EQ(CL_SUCCESS, clGetDeviceIDs(quernPlatform(), type, 1, &device, nullptr));
    context.reset(clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr));
    queue.reset(clCreateCommandQueueWithProperties(context.get(), device, nullptr, nullptr));
    program.reset(clCreateProgramWithSource(context.get(), 1, &faultingSource, nullptr, nullptr));
    EXPECT_EQ(CL_SUCCESS, clBuildProgram(program.get(), 1, &device, nullptr, nullptr, nullptr));
    buffer.reset(clCreateBuffer(context.get(), 0, 64, nullptr, nullptr));
  }

  /// The status that the launch ends with; 1 where it could not be enqueued.
  cl_int launch(const char* name) {
    const Kernel kernel(clCreateKernel(program.get(), name, nullptr));
    const cl_mem handle = buffer.get();
    EXPECT_EQ(CL_SUCCESS, clSetKernelArg(kernel.get(), 0, sizeof(handle), &handle));
    const size_t one = 1;
    cl_event made = nullptr;
    if (clEnqueueNDRangeKernel(queue.get(), kernel.get(), 1, nullptr, &one, nullptr, 0, nullptr,
                               &made) != CL_SUCCESS)
      return 1;
    const Event event(made);
    clWaitForEvents(1, &made);
    return statusOf(event);
  }
  cl_int read() {
    int value = 0;
    return clEnqueueReadBuffer(queue.get(), buffer.get(), CL_TRUE, 0, sizeof(value), &value, 0,
                               nullptr, nullptr);
  }

  cl_device_id device = nullptr;
  Context context;
  Queue queue;
  Program program;
  Memory buffer;
};

/// In a process of its own, whose GPU is lost.
int faultAndGoOn() {
  alarm(60);
  GpuFault gpu(CL_DEVICE_TYPE_GPU), cpu(CL_DEVICE_TYPE_CPU);
  EXPECT_EQ(CL_COMPLETE, gpu.launch("other"));
  EXPECT_EQ(CL_SUCCESS, gpu.read());
  EXPECT_LT(gpu.launch("fault"), 0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NE(CL_COMPLETE, gpu.launch("other"));
    EXPECT_LT(gpu.read(), 0);
  }
  const Queue another(
      clCreateCommandQueueWithProperties(gpu.context.get(), gpu.device, nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS, clFinish(gpu.queue.get()));
  EXPECT_EQ(CL_COMPLETE, cpu.launch("fault"));
  EXPECT_EQ(CL_SUCCESS, cpu.read());
  return testing::Test::HasFailure() ? 1 : 0;
}

TEST(GpuFaultTest, isReportedAndNothingHangs) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(_exit(faultAndGoOn()), testing::ExitedWithCode(0), "");
}

} // namespace
} // namespace quern::test
