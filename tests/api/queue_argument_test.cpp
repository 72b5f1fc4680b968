#include "program_fixture.h"

namespace quern::test {
namespace {

class QueueArgumentTest : public ProgramTest {
protected:
  static Queue makeDeviceQueue(const Context& owner, cl_device_id device) {
    const cl_queue_properties properties[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    return Queue(clCreateCommandQueueWithProperties(owner.get(), device, properties, nullptr));
  }
};

TEST_F(QueueArgumentTest, errors) {
  const Program program =
      buildProgram("kernel void f(queue_t q, global int* g) { g[0] = 1; }", "-cl-std=CL3.0");
  const Kernel kernel = makeKernel(program, "f");
  const auto set = [&](cl_command_queue object, size_t size = sizeof(cl_command_queue)) {
    return clSetKernelArg(kernel.get(), 0, size, &object);
  };
  const Queue own = makeDeviceQueue(context, device),
              foreign = makeDeviceQueue(otherContext, device);
  EXPECT_EQ(CL_SUCCESS, set(own.get()));
  EXPECT_EQ(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(kernel.get(), 0, sizeof(own), nullptr));
  EXPECT_EQ(CL_INVALID_DEVICE_QUEUE, set(nullptr));
  EXPECT_EQ(CL_INVALID_DEVICE_QUEUE, set(queue.get()));
  EXPECT_EQ(CL_INVALID_DEVICE_QUEUE, set(foreignHandle<cl_command_queue>(context)));
  EXPECT_EQ(CL_INVALID_ARG_SIZE, set(own.get(), sizeof(own) - 1));
  EXPECT_EQ(CL_INVALID_CONTEXT, set(foreign.get()));
}

} // namespace
} // namespace quern::test
