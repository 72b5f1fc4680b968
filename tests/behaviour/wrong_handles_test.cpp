// Every entry point with every handle replaced by null and by handles of the other kinds of
// objects. The result is the code that the specification names for the argument, and the process
// lives.
#include "behaviour/handle_calls.h"

namespace quern::tests {
namespace {

std::vector<Call> callsOfContexts() {
  cl_device_id device = Device::get().id;
  static const char* text = "kernel void k() {}";
  static const unsigned char binary[] = {1, 2, 3};
  static const unsigned char* binaries[] = {binary};
  static const size_t length = 3;
  return {
      {"clGetPlatformInfo", Kind::Platform, CL_INVALID_PLATFORM,
       [](void* h) {
         return clGetPlatformInfo(PLATFORM(h), CL_PLATFORM_NAME, 0, nullptr, nullptr);
       },
       true},
      {"clGetDeviceIDs", Kind::Platform, CL_INVALID_PLATFORM,
       [](void* h) {
         cl_uint n;
         return clGetDeviceIDs(PLATFORM(h), CL_DEVICE_TYPE_ALL, 0, nullptr, &n);
       },
       true},
      {"clUnloadPlatformCompiler", Kind::Platform, CL_INVALID_PLATFORM,
       [](void* h) { return clUnloadPlatformCompiler(PLATFORM(h)); }, true},
      {"clGetDeviceInfo", Kind::Device, CL_INVALID_DEVICE,
       [](void* h) { return clGetDeviceInfo(DEVICE(h), CL_DEVICE_NAME, 0, nullptr, nullptr); }},
      {"clCreateSubDevices", Kind::Device, CL_INVALID_DEVICE,
       [](void* h) {
         cl_device_partition_property list[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
         cl_uint n;
         return clCreateSubDevices(DEVICE(h), list, 0, nullptr, &n);
       }},
      {"clRetainDevice", Kind::Device, CL_INVALID_DEVICE,
       [](void* h) { return clRetainDevice(DEVICE(h)); }},
      {"clReleaseDevice", Kind::Device, CL_INVALID_DEVICE,
       [](void* h) { return clReleaseDevice(DEVICE(h)); }},
      {"clGetHostTimer", Kind::Device, CL_INVALID_DEVICE,
       [](void* h) {
         cl_ulong t;
         return clGetHostTimer(DEVICE(h), &t);
       }},
      {"clGetDeviceAndHostTimer", Kind::Device, CL_INVALID_DEVICE,
       [](void* h) {
         cl_ulong a, b;
         return clGetDeviceAndHostTimer(DEVICE(h), &a, &b);
       }},
      {"clCreateContext devices", Kind::Device, CL_INVALID_DEVICE,
       [](void* h) {
         auto d = DEVICE(h);
         return CODE_OF(clCreateContext(nullptr, 1, &d, nullptr, nullptr, &code));
       }},
      {"clRetainContext", Kind::Context, CL_INVALID_CONTEXT,
       [](void* h) { return clRetainContext(CONTEXT(h)); }},
      {"clReleaseContext", Kind::Context, CL_INVALID_CONTEXT,
       [](void* h) { return clReleaseContext(CONTEXT(h)); }},
      {"clGetContextInfo", Kind::Context, CL_INVALID_CONTEXT,
       [](void* h) {
         return clGetContextInfo(CONTEXT(h), CL_CONTEXT_DEVICES, 0, nullptr, nullptr);
       }},
      {"clSetContextDestructorCallback", Kind::Context, CL_INVALID_CONTEXT,
       [](void* h) {
         return clSetContextDestructorCallback(CONTEXT(h), [](cl_context, void*) {}, nullptr);
       }},
      {"clCreateCommandQueueWithProperties context", Kind::Context, CL_INVALID_CONTEXT,
       [device](void* h) {
         return CODE_OF(clCreateCommandQueueWithProperties(CONTEXT(h), device, nullptr, &code));
       }},
      {"clCreateCommandQueueWithProperties device", Kind::Device, CL_INVALID_DEVICE,
       [](void* h) {
         return CODE_OF(
             clCreateCommandQueueWithProperties(Device::get().context, DEVICE(h), nullptr, &code));
       }},
      {"clCreateCommandQueue", Kind::Context, CL_INVALID_CONTEXT,
       [device](void* h) { return CODE_OF(clCreateCommandQueue(CONTEXT(h), device, 0, &code)); }},
      {"clCreateBuffer", Kind::Context, CL_INVALID_CONTEXT,
       [](void* h) { return CODE_OF(clCreateBuffer(CONTEXT(h), 0, 64, nullptr, &code)); }},
      {"clCreateBufferWithProperties", Kind::Context, CL_INVALID_CONTEXT,
       [](void* h) {
         return CODE_OF(clCreateBufferWithProperties(CONTEXT(h), nullptr, 0, 64, nullptr, &code));
       }},
      {"clCreateUserEvent", Kind::Context, CL_INVALID_CONTEXT,
       [](void* h) { return CODE_OF(clCreateUserEvent(CONTEXT(h), &code)); }},
      {"clCreateProgramWithSource", Kind::Context, CL_INVALID_CONTEXT,
       [](void* h) {
         return CODE_OF(clCreateProgramWithSource(CONTEXT(h), 1, &text, nullptr, &code));
       }},
      {"clCreateProgramWithBinary context", Kind::Context, CL_INVALID_CONTEXT,
       [device](void* h) {
         return CODE_OF(
             clCreateProgramWithBinary(CONTEXT(h), 1, &device, &length, binaries, nullptr, &code));
       }},
      {"clCreateProgramWithBinary device", Kind::Device, CL_INVALID_DEVICE,
       [](void* h) {
         auto d = DEVICE(h);
         return CODE_OF(clCreateProgramWithBinary(Device::get().context, 1, &d, &length, binaries,
                                                  nullptr, &code));
       }},
      {"clCreateProgramWithBuiltInKernels", Kind::Context, CL_INVALID_CONTEXT,
       [device](void* h) {
         return CODE_OF(clCreateProgramWithBuiltInKernels(CONTEXT(h), 1, &device, "x", &code));
       }},
      {"clLinkProgram context", Kind::Context, CL_INVALID_CONTEXT,
       [device](void* h) {
         return CODE_OF(
             clLinkProgram(CONTEXT(h), 1, &device, "", 0, nullptr, nullptr, nullptr, &code));
       }},
      {"clGetSupportedImageFormats", Kind::Context, CL_INVALID_CONTEXT,
       [](void* h) {
         cl_uint n;
         return clGetSupportedImageFormats(CONTEXT(h), 1, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &n);
       }},
  };
}

std::vector<Call> callsOfPrograms(const Objects& o) {
  cl_device_id device = Device::get().id;
  cl_program program = o.program.handle();
  cl_kernel kernel = o.kernel.handle();
  return {
      {"clRetainProgram", Kind::Program, CL_INVALID_PROGRAM,
       [](void* h) { return clRetainProgram(PROGRAM(h)); }},
      {"clReleaseProgram", Kind::Program, CL_INVALID_PROGRAM,
       [](void* h) { return clReleaseProgram(PROGRAM(h)); }},
      {"clBuildProgram program", Kind::Program, CL_INVALID_PROGRAM,
       [](void* h) { return clBuildProgram(PROGRAM(h), 0, nullptr, "", nullptr, nullptr); }},
      {"clBuildProgram device", Kind::Device, CL_INVALID_DEVICE,
       [](void* h) {
         auto d = DEVICE(h);
         return clBuildProgram(createProgram("kernel void k() {}").handle(), 1, &d, "", nullptr,
                               nullptr);
       }},
      {"clCompileProgram program", Kind::Program, CL_INVALID_PROGRAM,
       [](void* h) {
         return clCompileProgram(PROGRAM(h), 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr);
       }},
      {"clCompileProgram header", Kind::Program, CL_INVALID_PROGRAM,
       [](void* h) {
         auto header = PROGRAM(h);
         const char* name = "a.h";
         return clCompileProgram(createProgram("").handle(), 0, nullptr, "", 1, &header, &name,
                                 nullptr, nullptr);
       }},
      {"clLinkProgram program", Kind::Program, CL_INVALID_PROGRAM,
       [device](void* h) {
         auto input = PROGRAM(h);
         return CODE_OF(clLinkProgram(Device::get().context, 1, &device, "", 1, &input, nullptr,
                                      nullptr, &code));
       }},
      {"clGetProgramInfo", Kind::Program, CL_INVALID_PROGRAM,
       [](void* h) {
         return clGetProgramInfo(PROGRAM(h), CL_PROGRAM_SOURCE, 0, nullptr, nullptr);
       }},
      {"clGetProgramBuildInfo program", Kind::Program, CL_INVALID_PROGRAM,
       [device](void* h) {
         return clGetProgramBuildInfo(PROGRAM(h), device, CL_PROGRAM_BUILD_LOG, 0, nullptr,
                                      nullptr);
       }},
      {"clGetProgramBuildInfo device", Kind::Device, CL_INVALID_DEVICE,
       [program](void* h) {
         return clGetProgramBuildInfo(program, DEVICE(h), CL_PROGRAM_BUILD_LOG, 0, nullptr,
                                      nullptr);
       }},
      {"clCreateKernel", Kind::Program, CL_INVALID_PROGRAM,
       [](void* h) { return CODE_OF(clCreateKernel(PROGRAM(h), "k", &code)); }},
      {"clCreateKernelsInProgram", Kind::Program, CL_INVALID_PROGRAM,
       [](void* h) {
         cl_uint n;
         return clCreateKernelsInProgram(PROGRAM(h), 0, nullptr, &n);
       }},
      {"clCloneKernel", Kind::Kernel, CL_INVALID_KERNEL,
       [](void* h) { return CODE_OF(clCloneKernel(KERNEL(h), &code)); }},
      {"clRetainKernel", Kind::Kernel, CL_INVALID_KERNEL,
       [](void* h) { return clRetainKernel(KERNEL(h)); }},
      {"clReleaseKernel", Kind::Kernel, CL_INVALID_KERNEL,
       [](void* h) { return clReleaseKernel(KERNEL(h)); }},
      {"clSetKernelArg kernel", Kind::Kernel, CL_INVALID_KERNEL,
       [](void* h) {
         cl_int x = 1;
         return clSetKernelArg(KERNEL(h), 1, sizeof(x), &x);
       }},
      {"clSetKernelArg buffer", Kind::Memory, CL_INVALID_MEM_OBJECT,
       [kernel](void* h) {
         auto m = MEMORY(h);
         return clSetKernelArg(kernel, 0, sizeof(m), &m);
       },
       true},
      {"clGetKernelInfo", Kind::Kernel, CL_INVALID_KERNEL,
       [](void* h) {
         return clGetKernelInfo(KERNEL(h), CL_KERNEL_FUNCTION_NAME, 0, nullptr, nullptr);
       }},
      {"clGetKernelArgInfo", Kind::Kernel, CL_INVALID_KERNEL,
       [](void* h) {
         return clGetKernelArgInfo(KERNEL(h), 0, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr);
       }},
      {"clGetKernelWorkGroupInfo kernel", Kind::Kernel, CL_INVALID_KERNEL,
       [device](void* h) {
         return clGetKernelWorkGroupInfo(KERNEL(h), device, CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr,
                                         nullptr);
       }},
      {"clGetKernelWorkGroupInfo device", Kind::Device, CL_INVALID_DEVICE,
       [kernel](void* h) {
         return clGetKernelWorkGroupInfo(kernel, DEVICE(h), CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr,
                                         nullptr);
       },
       true},
  };
}

std::vector<Call> callsOfObjects() {
  return {
      {"clRetainMemObject", Kind::Memory, CL_INVALID_MEM_OBJECT,
       [](void* h) { return clRetainMemObject(MEMORY(h)); }},
      {"clReleaseMemObject", Kind::Memory, CL_INVALID_MEM_OBJECT,
       [](void* h) { return clReleaseMemObject(MEMORY(h)); }},
      {"clGetMemObjectInfo", Kind::Memory, CL_INVALID_MEM_OBJECT,
       [](void* h) { return clGetMemObjectInfo(MEMORY(h), CL_MEM_SIZE, 0, nullptr, nullptr); }},
      {"clSetMemObjectDestructorCallback", Kind::Memory, CL_INVALID_MEM_OBJECT,
       [](void* h) {
         return clSetMemObjectDestructorCallback(MEMORY(h), [](cl_mem, void*) {}, nullptr);
       }},
      {"clCreateSubBuffer", Kind::Memory, CL_INVALID_MEM_OBJECT,
       [](void* h) {
         cl_buffer_region region = {0, 4};
         return CODE_OF(
             clCreateSubBuffer(MEMORY(h), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
       }},
      {"clRetainCommandQueue", Kind::Queue, CL_INVALID_COMMAND_QUEUE,
       [](void* h) { return clRetainCommandQueue(QUEUE(h)); }},
      {"clReleaseCommandQueue", Kind::Queue, CL_INVALID_COMMAND_QUEUE,
       [](void* h) { return clReleaseCommandQueue(QUEUE(h)); }},
      {"clGetCommandQueueInfo", Kind::Queue, CL_INVALID_COMMAND_QUEUE,
       [](void* h) {
         return clGetCommandQueueInfo(QUEUE(h), CL_QUEUE_CONTEXT, 0, nullptr, nullptr);
       }},
      {"clFlush", Kind::Queue, CL_INVALID_COMMAND_QUEUE, [](void* h) { return clFlush(QUEUE(h)); }},
      {"clFinish", Kind::Queue, CL_INVALID_COMMAND_QUEUE,
       [](void* h) { return clFinish(QUEUE(h)); }},
      {"clRetainEvent", Kind::Event, CL_INVALID_EVENT,
       [](void* h) { return clRetainEvent(EVENT(h)); }},
      {"clReleaseEvent", Kind::Event, CL_INVALID_EVENT,
       [](void* h) { return clReleaseEvent(EVENT(h)); }},
      {"clGetEventInfo", Kind::Event, CL_INVALID_EVENT,
       [](void* h) { return clGetEventInfo(EVENT(h), CL_EVENT_CONTEXT, 0, nullptr, nullptr); }},
      {"clGetEventProfilingInfo", Kind::Event, CL_INVALID_EVENT,
       [](void* h) {
         return clGetEventProfilingInfo(EVENT(h), CL_PROFILING_COMMAND_END, 0, nullptr, nullptr);
       }},
      {"clSetUserEventStatus", Kind::Event, CL_INVALID_EVENT,
       [](void* h) { return clSetUserEventStatus(EVENT(h), CL_COMPLETE); }},
      {"clSetEventCallback", Kind::Event, CL_INVALID_EVENT,
       [](void* h) {
         return clSetEventCallback(EVENT(h), CL_COMPLETE, [](cl_event, cl_int, void*) {}, nullptr);
       }},
      {"clWaitForEvents", Kind::Event, CL_INVALID_EVENT,
       [](void* h) {
         auto e = EVENT(h);
         return clWaitForEvents(1, &e);
       }},
  };
}

/// A command's enqueue function with everything but the queue, one or two buffers and the wait list
/// filled in.
using Enqueue = std::function<cl_int(cl_command_queue, cl_mem, cl_mem, cl_uint, const cl_event*)>;

std::vector<std::pair<const char*, Enqueue>> enqueueFunctions(const Objects& o) {
  static cl_int memory[64];
  static const size_t zero[3] = {}, region[3] = {4, 1, 1}, size = 1;
  cl_kernel kernel = o.kernel.handle();
  return {
      {"clEnqueueReadBuffer",
       [](auto q, auto a, auto, auto n, auto* l) {
         return clEnqueueReadBuffer(q, a, 0, 0, 4, memory, n, l, nullptr);
       }},
      {"clEnqueueWriteBuffer",
       [](auto q, auto a, auto, auto n, auto* l) {
         return clEnqueueWriteBuffer(q, a, 0, 0, 4, memory, n, l, nullptr);
       }},
      {"clEnqueueCopyBuffer",
       [](auto q, auto a, auto b, auto n, auto* l) {
         return clEnqueueCopyBuffer(q, a, b, 0, 32, 4, n, l, nullptr);
       }},
      {"clEnqueueReadBufferRect",
       [](auto q, auto a, auto, auto n, auto* l) {
         return clEnqueueReadBufferRect(q, a, 0, zero, zero, region, 0, 0, 0, 0, memory, n, l,
                                        nullptr);
       }},
      {"clEnqueueWriteBufferRect",
       [](auto q, auto a, auto, auto n, auto* l) {
         return clEnqueueWriteBufferRect(q, a, 0, zero, zero, region, 0, 0, 0, 0, memory, n, l,
                                         nullptr);
       }},
      {"clEnqueueCopyBufferRect",
       [](auto q, auto a, auto b, auto n, auto* l) {
         static const size_t target[3] = {32, 0, 0};
         return clEnqueueCopyBufferRect(q, a, b, zero, target, region, 0, 0, 0, 0, n, l, nullptr);
       }},
      {"clEnqueueFillBuffer",
       [](auto q, auto a, auto, auto n, auto* l) {
         return clEnqueueFillBuffer(q, a, memory, 4, 0, 4, n, l, nullptr);
       }},
      {"clEnqueueMapBuffer",
       [](auto q, auto a, auto, auto n, auto* l) {
         cl_int code = 1;
         void* mapped = clEnqueueMapBuffer(q, a, 0, CL_MAP_READ, 0, 4, n, l, nullptr, &code);
         if (mapped)
           clEnqueueUnmapMemObject(q, a, mapped, 0, nullptr, nullptr);
         return mapped ? CL_SUCCESS : code;
       }},
      {"clEnqueueMigrateMemObjects",
       [](auto q, auto a, auto, auto n, auto* l) {
         return clEnqueueMigrateMemObjects(q, 1, &a, 0, n, l, nullptr);
       }},
      {"clEnqueueNDRangeKernel",
       [kernel](auto q, auto, auto, auto n, auto* l) {
         return clEnqueueNDRangeKernel(q, kernel, 1, nullptr, &size, nullptr, n, l, nullptr);
       }},
      {"clEnqueueTask", [kernel](auto q, auto, auto, auto n,
                                 auto* l) { return clEnqueueTask(q, kernel, n, l, nullptr); }},
      {"clEnqueueMarkerWithWaitList",
       [](auto q, auto, auto, auto n, auto* l) {
         return clEnqueueMarkerWithWaitList(q, n, l, nullptr);
       }},
      {"clEnqueueBarrierWithWaitList",
       [](auto q, auto, auto, auto n, auto* l) {
         return clEnqueueBarrierWithWaitList(q, n, l, nullptr);
       }},
      {"clEnqueueNativeKernel",
       [](auto q, auto, auto, auto n, auto* l) {
         return clEnqueueNativeKernel(
             q, [](void*) {}, nullptr, 0, 0, nullptr, nullptr, n, l, nullptr);
       }},
  };
}

bool usesBuffers(const std::string& name) {
  return name.find("Buffer") != std::string::npos || name.find("Migrate") != std::string::npos;
}

std::vector<Call> callsOfCommands(const Objects& o) {
  std::vector<Call> calls;
  cl_command_queue queue = Device::get().queue;
  cl_mem buffer = o.buffer.handle();
  for (auto& [name, enqueue] : enqueueFunctions(o)) {
    calls.push_back({name, Kind::Queue, CL_INVALID_COMMAND_QUEUE, [=, f = enqueue](void* h) {
                       return f(QUEUE(h), buffer, buffer, 0, nullptr);
                     }});
    calls.push_back({name, Kind::Event, CL_INVALID_EVENT_WAIT_LIST, [=, f = enqueue](void* h) {
                       auto e = EVENT(h);
                       return f(queue, buffer, buffer, 1, &e);
                     }});
    if (!usesBuffers(name))
      continue;
    calls.push_back({name, Kind::Memory, CL_INVALID_MEM_OBJECT, [=, f = enqueue](void* h) {
                       return f(queue, MEMORY(h), buffer, 0, nullptr);
                     }});
    if (std::string(name).find("Copy") != std::string::npos)
      calls.push_back({name, Kind::Memory, CL_INVALID_MEM_OBJECT, [=, f = enqueue](void* h) {
                         return f(queue, buffer, MEMORY(h), 0, nullptr);
                       }});
  }
  calls.push_back({"clEnqueueNDRangeKernel kernel", Kind::Kernel, CL_INVALID_KERNEL, [=](void* h) {
                     const size_t size = 1;
                     return clEnqueueNDRangeKernel(queue, KERNEL(h), 1, nullptr, &size, nullptr, 0,
                                                   nullptr, nullptr);
                   }});
  calls.push_back({"clEnqueueTask kernel", Kind::Kernel, CL_INVALID_KERNEL,
                   [=](void* h) { return clEnqueueTask(queue, KERNEL(h), 0, nullptr, nullptr); }});
  calls.push_back({"clEnqueueUnmapMemObject", Kind::Memory, CL_INVALID_MEM_OBJECT, [=](void* h) {
                     int mapped = 0;
                     return clEnqueueUnmapMemObject(queue, MEMORY(h), &mapped, 0, nullptr, nullptr);
                   }});
  return calls;
}

TEST(WrongHandles, ofContextsAndDevices) {
  Objects objects;
  expectRefused(callsOfContexts(), objects);
}

TEST(WrongHandles, ofProgramsAndKernels) {
  Objects objects;
  expectRefused(callsOfPrograms(objects), objects);
}

TEST(WrongHandles, ofQueuesMemoryAndEvents) {
  Objects objects;
  expectRefused(callsOfObjects(), objects);
}

TEST(WrongHandles, ofCommands) {
  Objects objects;
  objects.kernel.setAll(objects.buffer, cl_int{1});
  expectRefused(callsOfCommands(objects), objects);
  // And the queue still works.
  objects.kernel.enqueue({{1}});
  EXPECT_EQ(objects.buffer.read()[0], 1);
}

} // namespace
} // namespace quern::tests
