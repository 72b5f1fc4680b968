// Kernels that enqueue kernels on a GPU, with the stand-in for NVIDIA's driver
// (tests/backend/fake_driver), which knows what the kernel here does.
#include "program_fixture.h"

namespace quern::test {
namespace {

const char* enqueueingSource = R"(
  kernel void enqueue_child(queue_t queue, global ulong* out) {
    clk_event_t done;
    out[0] += 1;
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, 0, &done,
                   ^{ out[1] = out[0] + 1; });
    capture_event_profiling_info(done, CLK_PROFILING_COMMAND_EXEC_TIME, out + 2);
    release_event(done);
  })";

TEST(GpuEnqueueTest, childrenEndBeforeWhatFollowsTheirParent) {
  cl_device_id device = nullptr;
  ASSERT_EQ(CL_SUCCESS, clGetDeviceIDs(quernPlatform(), CL_DEVICE_TYPE_GPU, 1, &device, nullptr));
  const Context context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr));
  const Queue queue(clCreateCommandQueueWithProperties(context.get(), device, nullptr, nullptr));
  const cl_queue_properties properties[] = {
      CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  const Queue children(
      clCreateCommandQueueWithProperties(context.get(), device, properties, nullptr));
  const Program program(
      clCreateProgramWithSource(context.get(), 1, &enqueueingSource, nullptr, nullptr));
  ASSERT_EQ(CL_SUCCESS,
            clBuildProgram(program.get(), 1, &device, "-cl-std=CL3.0", nullptr, nullptr));
  const Kernel kernel(clCreateKernel(program.get(), "enqueue_child", nullptr));
  std::vector<cl_ulong> values = {0, 0, ~cl_ulong{0}, ~cl_ulong{0}};
  const Memory out(clCreateBuffer(context.get(), CL_MEM_COPY_HOST_PTR,
                                  values.size() * sizeof(cl_ulong), values.data(), nullptr));
  const cl_command_queue childrenHandle = children.get();
  const cl_mem outHandle = out.get();
  ASSERT_EQ(CL_SUCCESS, clSetKernelArg(kernel.get(), 0, sizeof(childrenHandle), &childrenHandle));
  ASSERT_EQ(CL_SUCCESS, clSetKernelArg(kernel.get(), 1, sizeof(outHandle), &outHandle));
  for (cl_ulong run = 1; run <= 10; ++run) {
    const size_t one = 1;
    ASSERT_EQ(CL_SUCCESS, clEnqueueNDRangeKernel(queue.get(), kernel.get(), 1, nullptr, &one,
                                                 nullptr, 0, nullptr, nullptr));
    ASSERT_EQ(CL_SUCCESS, clEnqueueReadBuffer(queue.get(), out.get(), CL_TRUE, 0,
                                              values.size() * sizeof(cl_ulong), values.data(), 0,
                                              nullptr, nullptr));
    EXPECT_EQ(run, values[0]);
    EXPECT_EQ(run + 1, values[1]);
    EXPECT_LE(values[2], values[3]);
    EXPECT_NE(~cl_ulong{0}, values[3]);
  }
}

} // namespace
} // namespace quern::test
