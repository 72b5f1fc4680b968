// What one device of a context is refused although another one has it: the CPU, a GPU with the
// stand-in for NVIDIA's driver (tests/backend/fake_driver), and the null device.
#include <algorithm>

#include "program_fixture.h"
#include "svm_memory.h"

namespace quern::test {
namespace {

class UnlikeDevicesTest : public testing::Test {
protected:
  enum Kind { Cpu, Gpu, Null, kinds };

  void SetUp() override {
    cl_uint count = 0;
    ASSERT_EQ(CL_SUCCESS,
              clGetDeviceIDs(quernPlatform(), CL_DEVICE_TYPE_ALL, kinds, devices.data(), &count));
    ASSERT_EQ(cl_uint{kinds}, count);
    context.reset(clCreateContext(nullptr, kinds, devices.data(), nullptr, nullptr, &code));
    ASSERT_EQ(CL_SUCCESS, code);
    for (size_t i = 0; i < kinds; ++i)
      queues[i].reset(
          clCreateCommandQueueWithProperties(context.get(), devices[i], nullptr, nullptr));
  }

  Memory makeBuffer(size_t bytes) {
    return Memory(clCreateBuffer(context.get(), 0, bytes, nullptr, &code));
  }
  /// Built for all devices.
  Program build(const char* source) {
    Program program(clCreateProgramWithSource(context.get(), 1, &source, nullptr, &code));
    EXPECT_EQ(CL_SUCCESS, clBuildProgram(program.get(), 0, nullptr, nullptr, nullptr, nullptr));
    return program;
  }
  cl_int launch(Kind where, const Kernel& kernel, std::vector<size_t> size = {1}) {
    return clEnqueueNDRangeKernel(queues[where].get(), kernel.get(),
                                  static_cast<cl_uint>(size.size()), nullptr, size.data(),
                                  size.data(), 0, nullptr, nullptr);
  }

  std::array<cl_device_id, kinds> devices = {};
  Context context;
  std::array<Queue, kinds> queues;
  cl_int code = 1;
};

TEST_F(UnlikeDevicesTest, builtInKernelsAreThoseOfTheDevicesThatHaveThem) {
  const char* name = "quern_reduce_sum_i32";
  const Program program(
      clCreateProgramWithBuiltInKernels(context.get(), kinds, devices.data(), name, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  const Kernel kernel(clCreateKernel(program.get(), name, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  std::array<size_t, 3> range = {};
  const auto ask = [&](Kind kind) {
    return clGetKernelWorkGroupInfo(kernel.get(), devices[kind], CL_KERNEL_GLOBAL_WORK_SIZE,
                                    sizeof(range), range.data(), nullptr);
  };
  EXPECT_EQ(CL_SUCCESS, ask(Cpu));
  EXPECT_EQ(CL_SUCCESS, ask(Gpu));
  EXPECT_EQ(CL_INVALID_DEVICE, ask(Null));
  EXPECT_EQ(nullptr,
            clCreateProgramWithBuiltInKernels(context.get(), 1, &devices[Null], name, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
}

TEST_F(UnlikeDevicesTest, subBuffersAreAlignedForSome) {
  const auto alignment = [&](Kind kind) {
    return info<cl_uint>(clGetDeviceInfo, devices[kind], CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  };
  ASSERT_LT(alignment(Cpu), alignment(Gpu));
  const Memory buffer = makeBuffer(4096), other = makeBuffer(4096);
  const cl_buffer_region region = {alignment(Cpu), 64};
  const Memory part(
      clCreateSubBuffer(buffer.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  const Memory owner(clCreateImage2D(context.get(), 0, &format, 1, 1, 0, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  const cl_mem image = owner.get();
  const Program program = build("kernel void f(global int* out) { *out = 1; }");
  const Kernel kernel(clCreateKernel(program.get(), "f", &code));
  const cl_mem handle = part.get();
  ASSERT_EQ(CL_SUCCESS, clSetKernelArg(kernel.get(), 0, sizeof(handle), &handle));
  const size_t origin[3] = {}, box[3] = {4, 1, 1}, pixel[3] = {1, 1, 1};
  char bytes[64] = {};
  for (const Kind kind : {Cpu, Gpu}) {
    const cl_int expected = kind == Cpu ? CL_SUCCESS : CL_MISALIGNED_SUB_BUFFER_OFFSET;
    const cl_command_queue q = queues[kind].get();
    EXPECT_EQ(expected, clEnqueueReadBuffer(q, handle, 1, 0, 4, bytes, 0, nullptr, nullptr));
    EXPECT_EQ(expected, clEnqueueWriteBuffer(q, handle, 1, 0, 4, bytes, 0, nullptr, nullptr));
    EXPECT_EQ(expected, clEnqueueReadBufferRect(q, handle, 1, origin, origin, box, 0, 0, 0, 0,
                                                bytes, 0, nullptr, nullptr));
    EXPECT_EQ(expected, clEnqueueWriteBufferRect(q, handle, 1, origin, origin, box, 0, 0, 0, 0,
                                                 bytes, 0, nullptr, nullptr));
    EXPECT_EQ(expected, clEnqueueCopyBuffer(q, handle, other.get(), 0, 0, 4, 0, nullptr, nullptr));
    EXPECT_EQ(expected, clEnqueueCopyBuffer(q, other.get(), handle, 0, 0, 4, 0, nullptr, nullptr));
    EXPECT_EQ(expected, clEnqueueCopyBufferRect(q, handle, other.get(), origin, origin, box, 0, 0,
                                                0, 0, 0, nullptr, nullptr));
    EXPECT_EQ(expected, clEnqueueCopyBufferRect(q, other.get(), handle, origin, origin, box, 0, 0,
                                                0, 0, 0, nullptr, nullptr));
    EXPECT_EQ(expected, clEnqueueFillBuffer(q, handle, bytes, 4, 0, 4, 0, nullptr, nullptr));
    EXPECT_EQ(expected,
              clEnqueueCopyImageToBuffer(q, image, handle, origin, pixel, 0, 0, nullptr, nullptr));
    EXPECT_EQ(expected,
              clEnqueueCopyBufferToImage(q, handle, image, 0, origin, pixel, 0, nullptr, nullptr));
    EXPECT_EQ(expected, launch(kind, kernel));
    void* mapped = clEnqueueMapBuffer(q, handle, 1, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &code);
    EXPECT_EQ(expected, code);
    if (mapped) {
      EXPECT_EQ(CL_SUCCESS, clEnqueueUnmapMemObject(q, handle, mapped, 0, nullptr, nullptr));
    }
    EXPECT_EQ(CL_SUCCESS, clFinish(q));
  }
}

TEST_F(UnlikeDevicesTest, notAllHaveImages) {
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  const Memory image(clCreateImage2D(context.get(), 0, &format, 2, 2, 0, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  const Memory buffer = makeBuffer(64);
  const size_t origin[3] = {}, other[3] = {1, 0, 0}, pixel[3] = {1, 1, 1};
  float color[4] = {};
  size_t pitch = 0;
  const cl_command_queue q = queues[Null].get();
  const cl_mem i = image.get(), b = buffer.get();
  EXPECT_EQ(CL_INVALID_OPERATION,
            clEnqueueReadImage(q, i, 1, origin, pixel, 0, 0, color, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_OPERATION,
            clEnqueueWriteImage(q, i, 1, origin, pixel, 0, 0, color, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_OPERATION,
            clEnqueueCopyImage(q, i, i, origin, other, pixel, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_OPERATION,
            clEnqueueFillImage(q, i, color, origin, pixel, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_OPERATION,
            clEnqueueCopyImageToBuffer(q, i, b, origin, pixel, 0, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_OPERATION,
            clEnqueueCopyBufferToImage(q, b, i, 0, origin, pixel, 0, nullptr, nullptr));
  EXPECT_EQ(nullptr, clEnqueueMapImage(q, i, 1, CL_MAP_READ, origin, pixel, &pitch, nullptr, 0,
                                       nullptr, nullptr, &code));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
}

TEST_F(UnlikeDevicesTest, notAllHaveSharedVirtualMemory) {
  const Program program = build("kernel void f(global int* out) { *out = 1; }");
  const Kernel kernel(clCreateKernel(program.get(), "f", &code));
  const SvmMemory svm(context, 64);
  ASSERT_EQ(CL_SUCCESS, clSetKernelArgSVMPointer(kernel.get(), 0, svm.get()));
  EXPECT_EQ(CL_SUCCESS, launch(Cpu, kernel));
  EXPECT_EQ(CL_SUCCESS, launch(Gpu, kernel));
  EXPECT_EQ(CL_INVALID_OPERATION, launch(Null, kernel));
  // The CPU can use all memory of the program, the GPU only that of clSVMAlloc.
  int mine = 0;
  ASSERT_EQ(CL_SUCCESS, clSetKernelArgSVMPointer(kernel.get(), 0, &mine));
  EXPECT_EQ(CL_SUCCESS, launch(Cpu, kernel));
  EXPECT_EQ(CL_INVALID_OPERATION, launch(Gpu, kernel));
  EXPECT_EQ(CL_INVALID_OPERATION, launch(Null, kernel));
  ASSERT_EQ(CL_SUCCESS, clSetKernelArgSVMPointer(kernel.get(), 0, nullptr));
  EXPECT_EQ(CL_SUCCESS, launch(Gpu, kernel));
  EXPECT_EQ(CL_SUCCESS, launch(Null, kernel));
  for (const Queue& queue : queues)
    EXPECT_EQ(CL_SUCCESS, clFinish(queue.get()));
  EXPECT_EQ(1, mine);
}

TEST_F(UnlikeDevicesTest, pointersThatNoDeviceOfTheContextCanUse) {
  const Context alone(clCreateContext(nullptr, 1, &devices[Gpu], nullptr, nullptr, &code));
  const char* source = "kernel void f(global int* out) { *out = 1; }";
  const Program program(clCreateProgramWithSource(alone.get(), 1, &source, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, clBuildProgram(program.get(), 0, nullptr, nullptr, nullptr, nullptr));
  const Kernel kernel(clCreateKernel(program.get(), "f", &code));
  const SvmMemory svm(alone, 64);
  int mine = 0;
  EXPECT_EQ(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(kernel.get(), 0, &mine));
  EXPECT_EQ(CL_SUCCESS, clSetKernelArgSVMPointer(kernel.get(), 0, svm.get()));
  const cl_bool yes = CL_TRUE;
  EXPECT_EQ(CL_INVALID_OPERATION,
            clSetKernelExecInfo(kernel.get(), CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                                sizeof(yes), &yes));
}

TEST_F(UnlikeDevicesTest, notAllRunNativeKernels) {
  const auto nothing = [](void*) {};
  EXPECT_EQ(CL_SUCCESS, clEnqueueNativeKernel(queues[Cpu].get(), nothing, nullptr, 0, 0, nullptr,
                                              nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_OPERATION, clEnqueueNativeKernel(queues[Gpu].get(), nothing, nullptr, 0, 0,
                                                        nullptr, nullptr, 0, nullptr, nullptr));
}

TEST_F(UnlikeDevicesTest, workGroupsMayBeTooLongInOneDimension) {
  const Program program = build("kernel void f(global int* out) { *out = 1; }");
  const Kernel kernel(clCreateKernel(program.get(), "f", &code));
  const cl_mem none = nullptr;
  ASSERT_EQ(CL_SUCCESS, clSetKernelArg(kernel.get(), 0, sizeof(none), &none));
  const auto sizes = infoList<size_t>(clGetDeviceInfo, devices[Gpu], CL_DEVICE_MAX_WORK_ITEM_SIZES);
  ASSERT_LT(sizes[2], sizes[0]);
  EXPECT_EQ(CL_SUCCESS, launch(Gpu, kernel, {1, 1, sizes[2]}));
  EXPECT_EQ(CL_INVALID_WORK_ITEM_SIZE, launch(Gpu, kernel, {1, 1, sizes[2] + 1}));
}

TEST_F(UnlikeDevicesTest, aProgramMayHaveOnlySomeOfTheDevices) {
  const char* source = "kernel void f() {}";
  const Program program(clCreateProgramWithSource(context.get(), 1, &source, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, clBuildProgram(program.get(), 1, &devices[Cpu], nullptr, nullptr, nullptr));
  const Kernel kernel(clCreateKernel(program.get(), "f", &code));
  ASSERT_EQ(CL_SUCCESS, code);
  size_t size = 0;
  EXPECT_EQ(CL_INVALID_DEVICE,
            clGetKernelWorkGroupInfo(kernel.get(), devices[Gpu], CL_KERNEL_WORK_GROUP_SIZE,
                                     sizeof(size), &size, nullptr));
  // More than one device is the program's, although it is built for one.
  EXPECT_EQ(CL_INVALID_DEVICE,
            clGetKernelWorkGroupInfo(kernel.get(), nullptr, CL_KERNEL_WORK_GROUP_SIZE, sizeof(size),
                                     &size, nullptr));
  EXPECT_EQ(CL_INVALID_PROGRAM_EXECUTABLE, launch(Gpu, kernel));
  const Context alone(clCreateContext(nullptr, 1, &devices[Cpu], nullptr, nullptr, &code));
  const Program other(clCreateProgramWithSource(alone.get(), 1, &source, nullptr, &code));
  EXPECT_EQ(CL_INVALID_DEVICE,
            clBuildProgram(other.get(), 1, &devices[Gpu], nullptr, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_DEVICE, clCompileProgram(other.get(), 1, &devices[Gpu], nullptr, 0, nullptr,
                                                nullptr, nullptr, nullptr));
  cl_build_status status = CL_BUILD_NONE;
  EXPECT_EQ(CL_INVALID_DEVICE,
            clGetProgramBuildInfo(other.get(), devices[Gpu], CL_PROGRAM_BUILD_STATUS,
                                  sizeof(status), &status, nullptr));
  EXPECT_EQ(nullptr, clCreateCommandQueue(alone.get(), devices[Gpu], 0, &code));
  EXPECT_EQ(CL_INVALID_DEVICE, code);
}

TEST_F(UnlikeDevicesTest, programsAreLinkedForTheDevicesThatTheyAreCompiledFor) {
  const char* source = "int two() { return 2; }";
  const Program some(clCreateProgramWithSource(context.get(), 1, &source, nullptr, &code));
  const Program every(clCreateProgramWithSource(context.get(), 1, &source, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, clCompileProgram(some.get(), 1, &devices[Cpu], nullptr, 0, nullptr, nullptr,
                                         nullptr, nullptr));
  ASSERT_EQ(CL_SUCCESS, clCompileProgram(every.get(), 0, nullptr, nullptr, 0, nullptr, nullptr,
                                         nullptr, nullptr));
  const auto link = [&](std::vector<cl_program> inputs, const std::vector<cl_device_id>& list) {
    const Program linked(clLinkProgram(context.get(), static_cast<cl_uint>(list.size()),
                                       list.empty() ? nullptr : list.data(), "-create-library",
                                       static_cast<cl_uint>(inputs.size()), inputs.data(), nullptr,
                                       nullptr, &code));
    EXPECT_EQ(code == CL_SUCCESS, linked != nullptr);
    return code;
  };
  EXPECT_EQ(CL_SUCCESS, link({some.get()}, {}));
  EXPECT_EQ(CL_SUCCESS, link({some.get()}, {devices[Cpu], devices[Cpu]}));
  EXPECT_EQ(CL_INVALID_OPERATION, link({some.get()}, {devices[Gpu]}));
  EXPECT_EQ(CL_INVALID_OPERATION, link({some.get(), every.get()}, {devices[Gpu]}));
  const Context alone(clCreateContext(nullptr, 1, &devices[Cpu], nullptr, nullptr, &code));
  const Program other(clCreateProgramWithSource(alone.get(), 1, &source, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, clCompileProgram(other.get(), 0, nullptr, nullptr, 0, nullptr, nullptr,
                                         nullptr, nullptr));
  const cl_program input = other.get();
  EXPECT_EQ(nullptr, clLinkProgram(alone.get(), 1, &devices[Gpu], "-create-library", 1, &input,
                                   nullptr, nullptr, &code));
  EXPECT_EQ(CL_INVALID_DEVICE, code);
}

TEST_F(UnlikeDevicesTest, binariesAreForOneKindOfDevice) {
  const Program program = build("kernel void f() {}");
  std::array<size_t, kinds> sizes;
  ASSERT_EQ(CL_SUCCESS, clGetProgramInfo(program.get(), CL_PROGRAM_BINARY_SIZES, sizeof(sizes),
                                         sizes.data(), nullptr));
  std::array<std::vector<unsigned char>, kinds> binaries;
  std::array<unsigned char*, kinds> places;
  for (size_t i = 0; i < kinds; ++i) {
    binaries[i].resize(sizes[i]);
    places[i] = binaries[i].data();
  }
  ASSERT_EQ(CL_SUCCESS, clGetProgramInfo(program.get(), CL_PROGRAM_BINARIES, sizeof(places),
                                         places.data(), nullptr));
  std::array<const unsigned char*, kinds> given = {places[Cpu], places[Gpu], places[Null]};
  std::array<cl_int, kinds> status = {1, 1, 1};
  const Program again(clCreateProgramWithBinary(context.get(), kinds, devices.data(), sizes.data(),
                                                given.data(), status.data(), &code));
  EXPECT_EQ(CL_SUCCESS, code);
  EXPECT_EQ((std::array<cl_int, kinds>{}), status);
  EXPECT_EQ(CL_SUCCESS, clBuildProgram(again.get(), 0, nullptr, nullptr, nullptr, nullptr));
  std::swap(given[Cpu], given[Gpu]);
  std::swap(sizes[Cpu], sizes[Gpu]);
  EXPECT_EQ(nullptr, clCreateProgramWithBinary(context.get(), kinds, devices.data(), sizes.data(),
                                               given.data(), status.data(), &code));
  EXPECT_EQ(CL_INVALID_BINARY, code);
  EXPECT_EQ((std::array<cl_int, kinds>{CL_INVALID_BINARY, CL_INVALID_BINARY, CL_SUCCESS}), status);
}

} // namespace
} // namespace quern::test
