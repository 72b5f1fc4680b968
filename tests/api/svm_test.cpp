#include <cstring>
#include <limits>

#include "program_fixture.h"
#include "svm_memory.h"

namespace quern::test {
namespace {

class SvmTest : public ProgramTest {
protected:
  SvmMemory allocate(size_t bytes, cl_svm_mem_flags flags = 0) const {
    return SvmMemory(context, bytes, flags);
  }
};

TEST_F(SvmTest, deviceHasEveryForm) {
  EXPECT_EQ(cl_device_svm_capabilities{CL_DEVICE_SVM_COARSE_GRAIN_BUFFER |
                                       CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                                       CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS},
            info<cl_device_svm_capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_CAPABILITIES));
}

TEST_F(SvmTest, allocationsAreAlignedAndWritable) {
  for (const cl_svm_mem_flags flags :
       {cl_svm_mem_flags{0}, cl_svm_mem_flags{CL_MEM_READ_ONLY},
        cl_svm_mem_flags{CL_MEM_WRITE_ONLY | CL_MEM_SVM_FINE_GRAIN_BUFFER},
        cl_svm_mem_flags{CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS}})
    for (const cl_uint alignment : {0u, 1u, 8u, 128u}) {
      void* pointer = clSVMAlloc(context.get(), flags, 1000, alignment);
      ASSERT_NE(nullptr, pointer);
      EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(pointer) % (alignment ? alignment : 128));
      std::memset(pointer, 1, 1000);
      clSVMFree(context.get(), pointer);
    }
}

TEST_F(SvmTest, allocationRefusesWhatTheSpecificationRefuses) {
  const auto refused = [&](cl_context where, cl_svm_mem_flags flags, size_t bytes,
                           cl_uint alignment) {
    EXPECT_EQ(nullptr, clSVMAlloc(where, flags, bytes, alignment));
  };
  refused(nullptr, 0, 64, 0);
  refused(reinterpret_cast<cl_context>(device), 0, 64, 0);
  refused(context.get(), CL_MEM_SVM_ATOMICS, 64, 0);
  refused(context.get(), CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0);
  refused(context.get(), CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY, 64, 0);
  refused(context.get(), CL_MEM_USE_HOST_PTR, 64, 0);
  refused(context.get(), cl_svm_mem_flags{1} << 50, 64, 0);
  refused(context.get(), 0, 0, 0);
  refused(context.get(), 0, std::numeric_limits<size_t>::max(), 0);
  refused(context.get(), 0, 64, 3);
  refused(context.get(), 0, 64, 256);
}

TEST_F(SvmTest, freeIgnoresWhatIsNotAnAllocation) {
  int mine = 0;
  clSVMFree(context.get(), nullptr);
  clSVMFree(context.get(), &mine);
  clSVMFree(nullptr, &mine);
  void* pointer = clSVMAlloc(context.get(), 0, 64, 0);
  clSVMFree(otherContext.get(), pointer);
  std::memset(pointer, 1, 64);
  clSVMFree(context.get(), pointer);
}

TEST_F(SvmTest, buffersOverAnAllocationShareItsMemory) {
  const SvmMemory svm = allocate(4096);
  auto* values = static_cast<cl_int*>(svm.get());
  values[1] = 17;
  const Memory buffer = makeBuffer(4096, CL_MEM_USE_HOST_PTR, svm.get());
  EXPECT_EQ(cl_bool{CL_TRUE},
            info<cl_bool>(clGetMemObjectInfo, buffer.get(), CL_MEM_USES_SVM_POINTER));
  EXPECT_EQ(svm.get(), info<void*>(clGetMemObjectInfo, buffer.get(), CL_MEM_HOST_PTR));
  EXPECT_EQ(17, contents<cl_int>(buffer.get())[1]);
  const cl_int other = 23;
  EXPECT_EQ(CL_SUCCESS, clEnqueueWriteBuffer(queue.get(), buffer.get(), CL_TRUE, 0, sizeof(other),
                                             &other, 0, nullptr, nullptr));
  EXPECT_EQ(23, values[0]);
  const cl_buffer_region region = {1024, 512};
  const Memory part(
      clCreateSubBuffer(buffer.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  EXPECT_EQ(cl_bool{CL_TRUE},
            info<cl_bool>(clGetMemObjectInfo, part.get(), CL_MEM_USES_SVM_POINTER));
  // Part of an allocation, and a copy of it.
  const Memory inside = makeBuffer(128, CL_MEM_USE_HOST_PTR, values + 32);
  EXPECT_EQ(cl_bool{CL_TRUE},
            info<cl_bool>(clGetMemObjectInfo, inside.get(), CL_MEM_USES_SVM_POINTER));
  const Memory copy = makeBuffer(4096, CL_MEM_COPY_HOST_PTR, svm.get());
  EXPECT_EQ(cl_bool{CL_FALSE},
            info<cl_bool>(clGetMemObjectInfo, copy.get(), CL_MEM_USES_SVM_POINTER));
  EXPECT_EQ(23, contents<cl_int>(copy.get())[0]);
}

TEST_F(SvmTest, buffersMustNotBeLargerThanTheAllocation) {
  const SvmMemory svm = allocate(4096);
  cl_int code = CL_SUCCESS;
  EXPECT_EQ(nullptr, clCreateBuffer(context.get(), CL_MEM_USE_HOST_PTR, 4097, svm.get(), &code));
  EXPECT_EQ(CL_INVALID_BUFFER_SIZE, code);
  EXPECT_EQ(nullptr, clCreateBuffer(context.get(), CL_MEM_COPY_HOST_PTR, 4097, svm.get(), &code));
  EXPECT_EQ(CL_INVALID_BUFFER_SIZE, code);
}

TEST_F(SvmTest, kernelArgumentErrors) {
  const Program program = buildProgram(
      "kernel void f(global int* g, constant int* c, local int* l, int v) { *g = *c + v; }");
  const Kernel kernel = makeKernel(program, "f");
  const SvmMemory svm = allocate(64);
  EXPECT_EQ(CL_INVALID_KERNEL, clSetKernelArgSVMPointer(nullptr, 0, svm.get()));
  EXPECT_EQ(CL_INVALID_ARG_INDEX, clSetKernelArgSVMPointer(kernel.get(), 4, svm.get()));
  EXPECT_EQ(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(kernel.get(), 2, svm.get()));
  EXPECT_EQ(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(kernel.get(), 3, svm.get()));
  EXPECT_EQ(CL_SUCCESS, clSetKernelArgSVMPointer(kernel.get(), 0, svm.get()));
  EXPECT_EQ(CL_SUCCESS, clSetKernelArgSVMPointer(kernel.get(), 1, nullptr));
}

TEST_F(SvmTest, executionInformation) {
  const Program program = buildProgram("kernel void f() {}");
  const Kernel kernel = makeKernel(program, "f");
  const SvmMemory svm = allocate(64);
  const void* pointers[] = {svm.get(), static_cast<char*>(svm.get()) + 9};
  const auto set = [&](size_t size, const void* value) {
    return clSetKernelExecInfo(kernel.get(), CL_KERNEL_EXEC_INFO_SVM_PTRS, size, value);
  };
  EXPECT_EQ(CL_SUCCESS, set(sizeof(pointers), pointers));
  EXPECT_EQ(CL_SUCCESS, set(0, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, set(sizeof(pointers), nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, set(0, pointers));
  EXPECT_EQ(CL_INVALID_VALUE, set(sizeof(void*) + 1, pointers));
  const cl_bool yes = CL_TRUE;
  EXPECT_EQ(CL_SUCCESS, clSetKernelExecInfo(kernel.get(), CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                                            sizeof(yes), &yes));
}

TEST_F(SvmTest, aBufferReplacesAPointerAndTheOtherWayRound) {
  const Program program = buildProgram("kernel void f(global int* g) { if (g) *g += 1; }");
  const Kernel kernel = makeKernel(program, "f");
  const SvmMemory svm = allocate(64);
  auto* value = static_cast<cl_int*>(svm.get());
  *value = 0;
  const Memory buffer = makeBuffer(std::vector<cl_int>{10});
  EXPECT_EQ(CL_SUCCESS, clSetKernelArgSVMPointer(kernel.get(), 0, value));
  run(kernel, 1);
  const Kernel clone(clCloneKernel(kernel.get(), nullptr));
  setArguments(kernel, buffer.get());
  run(kernel, 1);
  EXPECT_EQ(CL_SUCCESS, clSetKernelArgSVMPointer(kernel.get(), 0, value));
  setArguments(kernel, cl_mem(nullptr));
  run(kernel, 1);
  EXPECT_EQ(1, *value);
  EXPECT_EQ(11, contents<cl_int>(buffer.get())[0]);
  run(clone, 1);
  EXPECT_EQ(2, *value);
}

} // namespace
} // namespace quern::test
