// Null where a pointer is needed, counts without lists, unknown queries, sizes that are too small:
// the specified error, no crash.
#include <functional>

#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

constexpr cl_uint unknown = 0x7fffffff;

/// An info query of one object: what is asked, how many bytes the answer may have.
using Query = std::function<cl_int(cl_uint, size_t, void*, size_t*)>;

TEST(MissingArguments, ofInfoQueries) {
  const Device& d = Device::get();
  Program program = build("kernel void k(int x) {}", "-cl-kernel-arg-info");
  Kernel kernel(program, "k");
  Buffer<cl_int> buffer(4);
  cl_int code = CL_SUCCESS;
  cl_event event = clCreateUserEvent(d.context, &code);
  check(code, "clCreateUserEvent");
  const std::vector<std::tuple<const char*, cl_uint, Query>> queries = {
      {"platform", CL_PLATFORM_NAME,
       [&](auto w, auto n, auto* p, auto* r) { return clGetPlatformInfo(d.platform, w, n, p, r); }},
      {"device", CL_DEVICE_MAX_COMPUTE_UNITS,
       [&](auto w, auto n, auto* p, auto* r) { return clGetDeviceInfo(d.id, w, n, p, r); }},
      {"context", CL_CONTEXT_NUM_DEVICES,
       [&](auto w, auto n, auto* p, auto* r) { return clGetContextInfo(d.context, w, n, p, r); }},
      {"queue", CL_QUEUE_CONTEXT,
       [&](auto w, auto n, auto* p, auto* r) {
         return clGetCommandQueueInfo(d.queue, w, n, p, r);
       }},
      {"memory", CL_MEM_SIZE,
       [&](auto w, auto n, auto* p, auto* r) {
         return clGetMemObjectInfo(buffer.handle(), w, n, p, r);
       }},
      {"program", CL_PROGRAM_NUM_DEVICES,
       [&](auto w, auto n, auto* p, auto* r) {
         return clGetProgramInfo(program.handle(), w, n, p, r);
       }},
      {"build", CL_PROGRAM_BUILD_STATUS,
       [&](auto w, auto n, auto* p, auto* r) {
         return clGetProgramBuildInfo(program.handle(), d.id, w, n, p, r);
       }},
      {"kernel", CL_KERNEL_NUM_ARGS,
       [&](auto w, auto n, auto* p, auto* r) {
         return clGetKernelInfo(kernel.handle(), w, n, p, r);
       }},
      {"argument", CL_KERNEL_ARG_TYPE_NAME,
       [&](auto w, auto n, auto* p, auto* r) {
         return clGetKernelArgInfo(kernel.handle(), 0, w, n, p, r);
       }},
      {"work-group", CL_KERNEL_WORK_GROUP_SIZE,
       [&](auto w, auto n, auto* p, auto* r) {
         return clGetKernelWorkGroupInfo(kernel.handle(), d.id, w, n, p, r);
       }},
      {"event", CL_EVENT_COMMAND_TYPE,
       [&](auto w, auto n, auto* p, auto* r) { return clGetEventInfo(event, w, n, p, r); }},
  };
  for (const auto& [name, what, query] : queries) {
    SCOPED_TRACE(name);
    char answer[1024];
    size_t bytes = 0;
    EXPECT_EQ(query(what, 0, nullptr, &bytes), CL_SUCCESS);
    ASSERT_GT(bytes, 0u);
    EXPECT_EQ(query(what, sizeof(answer), answer, nullptr), CL_SUCCESS);
    EXPECT_EQ(query(what, bytes, answer, &bytes), CL_SUCCESS);
    EXPECT_EQ(query(what, bytes - 1, answer, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(query(what, 0, answer, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(query(what, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(query(unknown, sizeof(answer), answer, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(query(0, sizeof(answer), answer, nullptr), CL_INVALID_VALUE);
  }
  clReleaseEvent(event);
}

TEST(MissingArguments, ofEnumerations) {
  const Device& d = Device::get();
  cl_platform_id platform;
  cl_device_id device;
  EXPECT_EQ(clGetPlatformIDs(0, &platform, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetPlatformIDs(0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceIDs(d.platform, CL_DEVICE_TYPE_ALL, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceIDs(d.platform, CL_DEVICE_TYPE_ALL, 0, &device, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceIDs(d.platform, 0, 1, &device, nullptr), CL_INVALID_DEVICE_TYPE);
  EXPECT_EQ(clGetDeviceIDs(d.platform, CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR, 1, &device,
                           nullptr),
            CL_DEVICE_NOT_FOUND);
}

TEST(MissingArguments, ofContexts) {
  const Device& d = Device::get();
  cl_int code = 1;
  const auto make = [&](const cl_context_properties* properties, cl_uint count,
                        const cl_device_id* devices, void* data) {
    cl_context context = clCreateContext(properties, count, devices, nullptr, data, &code);
    EXPECT_EQ(context == nullptr, code != CL_SUCCESS);
    if (context)
      clReleaseContext(context);
    return code;
  };
  int data = 0;
  EXPECT_EQ(make(nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(make(nullptr, 1, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(make(nullptr, 0, &d.id, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(make(nullptr, 1, &d.id, &data), CL_INVALID_VALUE);
  const cl_context_properties odd[] = {0x1234, 1, 0};
  EXPECT_EQ(make(odd, 1, &d.id, nullptr), CL_INVALID_PROPERTY);
  EXPECT_EQ(clCreateContext(nullptr, 0, nullptr, nullptr, nullptr, nullptr), nullptr);
}

TEST(MissingArguments, ofBuffers) {
  const Device& d = Device::get();
  cl_int code = 1;
  EXPECT_EQ(clCreateBuffer(d.context, 0, 0, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(clCreateBuffer(d.context, CL_MEM_USE_HOST_PTR, 64, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_HOST_PTR);
  int data[16];
  EXPECT_EQ(clCreateBuffer(d.context, 0, 64, data, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_HOST_PTR);
  EXPECT_EQ(clCreateBuffer(d.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, nullptr, &code),
            nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateBuffer(d.context, cl_mem_flags{1} << 60, 64, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateBuffer(d.context, 0, ~size_t{0}, nullptr, nullptr), nullptr);
}

TEST(MissingArguments, ofPrograms) {
  const Device& d = Device::get();
  const char* text = nullptr;
  cl_int code = 1;
  EXPECT_EQ(clCreateProgramWithSource(d.context, 0, &text, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithSource(d.context, 1, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithSource(d.context, 1, &text, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  const unsigned char* binary = nullptr;
  size_t length = 0;
  EXPECT_EQ(clCreateProgramWithBinary(d.context, 1, &d.id, &length, &binary, nullptr, &code),
            nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithBinary(d.context, 1, &d.id, nullptr, &binary, nullptr, &code),
            nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithBinary(d.context, 0, nullptr, &length, &binary, nullptr, &code),
            nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  Program program = build("kernel void k(int x, global int* b, local int* l) {}");
  EXPECT_EQ(clBuildProgram(program.handle(), 1, nullptr, "", nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clBuildProgram(program.handle(), 0, &d.id, "", nullptr, nullptr), CL_INVALID_VALUE);
  int data = 0;
  EXPECT_EQ(clBuildProgram(program.handle(), 0, nullptr, "", nullptr, &data), CL_INVALID_VALUE);
  EXPECT_EQ(clCreateKernel(program.handle(), nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateKernel(program.handle(), "none", &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_KERNEL_NAME);
  Program unbuilt = createProgram("kernel void k() {}");
  EXPECT_EQ(clCreateKernel(unbuilt.handle(), "k", &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST(MissingArguments, ofKernels) {
  const Device& d = Device::get();
  Program program =
      build("kernel void k(int x, global int* b, local int* l) { l[0] = x; b[0] = l[0]; }");
  Kernel kernel(program, "k");
  Buffer<cl_int> buffer(4);
  const size_t one = 1, zero = 0, three = 3;
  const auto enqueue = [&](cl_uint dimensions, const size_t* global, const size_t* local) {
    return clEnqueueNDRangeKernel(d.queue, kernel.handle(), dimensions, nullptr, global, local, 0,
                                  nullptr, nullptr);
  };
  EXPECT_EQ(enqueue(1, &one, nullptr), CL_INVALID_KERNEL_ARGS);
  cl_int value = 4;
  EXPECT_EQ(clSetKernelArg(kernel.handle(), 3, sizeof(value), &value), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clSetKernelArg(kernel.handle(), 0, sizeof(value), nullptr), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArg(kernel.handle(), 0, 3, &value), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel.handle(), 0, ~size_t{0}, &value), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel.handle(), 1, 3, &value), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel.handle(), 2, 16, &value), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArg(kernel.handle(), 2, ~size_t{0}, &value), CL_INVALID_ARG_VALUE);
  kernel.setAll(value, buffer, LocalBytes{16});
  EXPECT_EQ(enqueue(0, &one, nullptr), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(enqueue(4, &one, nullptr), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(enqueue(1, &one, &zero), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(enqueue(1, &one, &three), CL_INVALID_WORK_GROUP_SIZE);
  const size_t huge = size_t{1} << 40;
  EXPECT_EQ(enqueue(1, &huge, &huge), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(enqueue(1, &one, nullptr), CL_SUCCESS);
  EXPECT_EQ(buffer.read()[0], 4);
}

TEST(MissingArguments, ofCommandsAndEvents) {
  const Device& d = Device::get();
  Buffer<cl_int> buffer(16);
  cl_int value = 0, code = 1;
  EXPECT_EQ(
      clEnqueueReadBuffer(d.queue, buffer.handle(), CL_TRUE, 0, 4, nullptr, 0, nullptr, nullptr),
      CL_INVALID_VALUE);
  EXPECT_EQ(
      clEnqueueWriteBuffer(d.queue, buffer.handle(), CL_TRUE, 0, 4, nullptr, 0, nullptr, nullptr),
      CL_INVALID_VALUE);
  EXPECT_EQ(
      clEnqueueReadBuffer(d.queue, buffer.handle(), CL_TRUE, 61, 4, &value, 0, nullptr, nullptr),
      CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueReadBuffer(d.queue, buffer.handle(), CL_TRUE, ~size_t{0}, 4, &value, 0,
                                nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueReadBuffer(d.queue, buffer.handle(), CL_TRUE, 4, ~size_t{0}, &value, 0,
                                nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(
      clEnqueueReadBuffer(d.queue, buffer.handle(), CL_TRUE, 0, 4, &value, 1, nullptr, nullptr),
      CL_INVALID_EVENT_WAIT_LIST);
  cl_event event = nullptr;
  EXPECT_EQ(
      clEnqueueReadBuffer(d.queue, buffer.handle(), CL_TRUE, 0, 4, &value, 0, &event, nullptr),
      CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueFillBuffer(d.queue, buffer.handle(), nullptr, 4, 0, 4, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueFillBuffer(d.queue, buffer.handle(), &value, 3, 0, 6, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueFillBuffer(d.queue, buffer.handle(), &value, 4, 2, 4, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(
      clEnqueueCopyBuffer(d.queue, buffer.handle(), buffer.handle(), 0, 2, 4, 0, nullptr, nullptr),
      CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(clEnqueueMapBuffer(d.queue, buffer.handle(), CL_TRUE, CL_MAP_READ, 0, 65, 0, nullptr,
                               nullptr, &code),
            nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueUnmapMemObject(d.queue, buffer.handle(), &value, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueMigrateMemObjects(d.queue, 0, nullptr, 0, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(
      clEnqueueNativeKernel(d.queue, nullptr, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr),
      CL_INVALID_VALUE);
  EXPECT_EQ(clWaitForEvents(0, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clWaitForEvents(1, nullptr), CL_INVALID_VALUE);
  event = clCreateUserEvent(d.context, &code);
  EXPECT_EQ(clSetEventCallback(event, CL_COMPLETE, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(
      clSetEventCallback(event, 77, [](cl_event, cl_int, void*) {}, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clSetUserEventStatus(event, CL_RUNNING), CL_INVALID_VALUE);
  EXPECT_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_INVALID_OPERATION);
  clReleaseEvent(event);
}

} // namespace
} // namespace quern::tests
