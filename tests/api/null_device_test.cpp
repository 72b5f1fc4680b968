#include "program_fixture.h"

namespace quern::test {
namespace {

/// What is refused on a device that lacks optional features: the null device.
class NullDeviceTest : public ProgramTest {};

TEST_F(NullDeviceTest, everyFunctionRefuses) {
  EXPECT_EQ(cl_device_svm_capabilities{0},
            info<cl_device_svm_capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_CAPABILITIES));
  EXPECT_EQ(nullptr, clSVMAlloc(context.get(), CL_MEM_READ_WRITE, 64, 0));
  clSVMFree(context.get(), nullptr);
  char memory[8];
  void* pointer = memory;
  const void* pointers[] = {memory};
  const char pattern = 0;
  const cl_command_queue q = queue.get();
  EXPECT_EQ(CL_INVALID_OPERATION,
            clEnqueueSVMFree(q, 1, &pointer, nullptr, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_OPERATION,
            clEnqueueSVMMemcpy(q, CL_TRUE, memory, memory + 4, 4, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_OPERATION,
            clEnqueueSVMMemFill(q, memory, &pattern, 1, 8, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_OPERATION,
            clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, memory, 8, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_OPERATION, clEnqueueSVMUnmap(q, memory, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_OPERATION,
            clEnqueueSVMMigrateMem(q, 1, pointers, nullptr, 0, 0, nullptr, nullptr));
}

TEST_F(NullDeviceTest, kernelsRefuse) {
  const Program program = buildProgram("kernel void f(global int* g) { *g = 1; }");
  const Kernel kernel = makeKernel(program, "f");
  int mine = 0;
  const void* pointer = &mine;
  const cl_bool yes = CL_TRUE, no = CL_FALSE;
  EXPECT_EQ(CL_INVALID_OPERATION, clSetKernelArgSVMPointer(kernel.get(), 0, pointer));
  EXPECT_EQ(CL_INVALID_OPERATION, clSetKernelExecInfo(kernel.get(), CL_KERNEL_EXEC_INFO_SVM_PTRS,
                                                      sizeof(pointer), &pointer));
  EXPECT_EQ(CL_INVALID_OPERATION,
            clSetKernelExecInfo(kernel.get(), CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                                sizeof(yes), &yes));
  EXPECT_EQ(CL_SUCCESS, clSetKernelExecInfo(kernel.get(), CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                                            sizeof(no), &no));
}

TEST_F(NullDeviceTest, thereAreNoBuiltInKernels) {
  EXPECT_EQ("", infoString(clGetDeviceInfo, device, CL_DEVICE_BUILT_IN_KERNELS));
  size_t bytes = 1;
  EXPECT_EQ(CL_SUCCESS,
            clGetDeviceInfo(device, CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, 0, nullptr, &bytes));
  EXPECT_EQ(0u, bytes);
  for (const char* names : {"", "quern_reduce_sum_i32"}) {
    cl_int code = 0;
    EXPECT_EQ(nullptr, clCreateProgramWithBuiltInKernels(context.get(), 1, &device, names, &code));
    EXPECT_EQ(CL_INVALID_VALUE, code);
  }
}

TEST_F(NullDeviceTest, thereAreNoPipes) {
  EXPECT_EQ(cl_bool{CL_FALSE}, info<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_PIPE_SUPPORT));
  cl_int code = CL_SUCCESS;
  EXPECT_EQ(nullptr, clCreatePipe(context.get(), 0, 4, 4, nullptr, &code));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
  const Memory buffer = makeBuffer(64);
  EXPECT_EQ(CL_INVALID_MEM_OBJECT,
            clGetPipeInfo(buffer.get(), CL_PIPE_PACKET_SIZE, 0, nullptr, nullptr));
}

TEST_F(NullDeviceTest, thereAreNoQueuesOnTheDevice) {
  EXPECT_EQ(cl_device_device_enqueue_capabilities{0},
            info<cl_device_device_enqueue_capabilities>(clGetDeviceInfo, device,
                                                        CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES));
  const cl_queue_properties properties[] = {
      CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int code = CL_SUCCESS;
  EXPECT_EQ(nullptr, clCreateCommandQueueWithProperties(context.get(), device, properties, &code));
  EXPECT_EQ(CL_INVALID_QUEUE_PROPERTIES, code);
  EXPECT_EQ(CL_INVALID_OPERATION,
            clSetDefaultDeviceCommandQueue(context.get(), device, queue.get()));
}

TEST_F(NullDeviceTest, thereAreNoSubGroups) {
  const Program program = buildProgram("kernel void f(global int* g) { *g = 1; }");
  const Kernel kernel = makeKernel(program, "f");
  const size_t input = 1;
  size_t value = 0;
  EXPECT_EQ(0u, info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_NUM_SUB_GROUPS));
  EXPECT_EQ(CL_INVALID_OPERATION,
            clGetKernelSubGroupInfo(kernel.get(), device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                    sizeof(input), &input, sizeof(value), &value, nullptr));
}

} // namespace
} // namespace quern::test
