#pragma once

// What the tests of wrong handles share: one good object of each kind, and the loop that offers
// each to calls that want another.
#include <functional>

#include "kernels/kernel_fixture.h"

namespace quern::tests {

enum class Kind {
  Platform,
  Device,
  Context,
  Queue,
  Memory,
  Program,
  Kernel,
  Event,
  Image,
  Sampler
};

/// One good object of each kind.
struct Objects {
  Buffer<cl_int> buffer{16};
  tests::Program program = build("kernel void k(global int* out, int x) { out[0] = x; }");
  tests::Kernel kernel{program, "k"};
  cl_event event = nullptr;
  cl_mem image = nullptr;
  cl_sampler sampler = nullptr;

  Objects() {
    cl_int code = CL_SUCCESS;
    event = clCreateUserEvent(Device::get().context, &code);
    check(code, "clCreateUserEvent");
    check(clSetUserEventStatus(event, CL_COMPLETE), "clSetUserEventStatus");
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    cl_image_desc shape = {};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = shape.image_height = 4;
    image =
        clCreateImage(Device::get().context, CL_MEM_READ_WRITE, &format, &shape, nullptr, &code);
    check(code, "clCreateImage");
    const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, 0};
    sampler = clCreateSamplerWithProperties(Device::get().context, properties, &code);
    check(code, "clCreateSamplerWithProperties");
  }
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;
  ~Objects() {
    clReleaseSampler(sampler);
    clReleaseMemObject(image);
    clReleaseEvent(event);
  }

  void* of(Kind kind) const {
    switch (kind) {
    case Kind::Platform:
      return Device::get().platform;
    case Kind::Device:
      return Device::get().id;
    case Kind::Context:
      return Device::get().context;
    case Kind::Queue:
      return Device::get().queue;
    case Kind::Memory:
      return buffer.handle();
    case Kind::Program:
      return program.handle();
    case Kind::Kernel:
      return kernel.handle();
    case Kind::Event:
      return event;
    case Kind::Image:
      return image;
    case Kind::Sampler:
      return sampler;
    }
    return nullptr;
  }
};

/// A call with one argument open. `mayBeNull` where null has a meaning of its own.
struct Call {
  const char* name;
  Kind wanted;
  cl_int expected;
  std::function<cl_int(void*)> call;
  bool mayBeNull = false;
};

// The handles are passed as void* and converted where they are used.
#define PLATFORM(h) static_cast<cl_platform_id>(h)
#define DEVICE(h) static_cast<cl_device_id>(h)
#define CONTEXT(h) static_cast<cl_context>(h)
#define QUEUE(h) static_cast<cl_command_queue>(h)
#define MEMORY(h) static_cast<cl_mem>(h)
#define PROGRAM(h) static_cast<cl_program>(h)
#define KERNEL(h) static_cast<cl_kernel>(h)
#define EVENT(h) static_cast<cl_event>(h)
#define SAMPLER(h) static_cast<cl_sampler>(h)

/// Turns a call that returns an object into one that returns its code; an object beside an error
/// counts as success.
#define CODE_OF(expression)                                                                        \
  [&] {                                                                                            \
    cl_int code = 1;                                                                               \
    auto object = expression;                                                                      \
    return object ? CL_SUCCESS : code;                                                             \
  }()

/// Whether an object of kind `given` is one of those that `wanted` asks for.
inline bool isOneOf(Kind given, Kind wanted) {
  return given == wanted || (given == Kind::Image && wanted == Kind::Memory);
}

/// Tries null and every other kind for each call; nothing may succeed or crash.
inline void expectRefused(const std::vector<Call>& calls, const Objects& objects) {
  for (const Call& call : calls) {
    if (!call.mayBeNull) {
      EXPECT_EQ(call.call(nullptr), call.expected) << call.name << " with null";
    }
    for (int kind = 0; kind <= int(Kind::Sampler); ++kind)
      if (!isOneOf(Kind(kind), call.wanted)) {
        EXPECT_EQ(call.call(objects.of(Kind(kind))), call.expected)
            << call.name << " with an object of kind " << kind << " for " << int(call.wanted);
      }
  }
}

} // namespace quern::tests
