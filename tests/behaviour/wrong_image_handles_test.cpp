// Every entry point for images and samplers with its handle replaced by null and by handles of the
// other kinds of objects, buffers among them.
#include "behaviour/handle_calls.h"

namespace quern::tests {
namespace {

constexpr size_t zero[3] = {}, region[3] = {1, 1, 1};

std::vector<Call> callsOfImages() {
  return {
      {"clGetImageInfo", Kind::Image, CL_INVALID_MEM_OBJECT,
       [](void* h) { return clGetImageInfo(MEMORY(h), CL_IMAGE_WIDTH, 0, nullptr, nullptr); }},
      {"clCreateImage", Kind::Context, CL_INVALID_CONTEXT,
       [](void* h) {
         const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
         cl_image_desc shape = {};
         shape.image_type = CL_MEM_OBJECT_IMAGE2D;
         shape.image_width = shape.image_height = 4;
         return CODE_OF(clCreateImage(CONTEXT(h), 0, &format, &shape, nullptr, &code));
       }},
      {"clCreateImageWithProperties", Kind::Context, CL_INVALID_CONTEXT,
       [](void* h) {
         const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
         cl_image_desc shape = {};
         shape.image_type = CL_MEM_OBJECT_IMAGE1D;
         shape.image_width = 4;
         return CODE_OF(
             clCreateImageWithProperties(CONTEXT(h), nullptr, 0, &format, &shape, nullptr, &code));
       }},
      {"clCreateSampler", Kind::Context, CL_INVALID_CONTEXT,
       [](void* h) {
         return CODE_OF(
             clCreateSampler(CONTEXT(h), CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code));
       }},
      {"clCreateSamplerWithProperties", Kind::Context, CL_INVALID_CONTEXT,
       [](void* h) { return CODE_OF(clCreateSamplerWithProperties(CONTEXT(h), nullptr, &code)); }},
      {"clRetainSampler", Kind::Sampler, CL_INVALID_SAMPLER,
       [](void* h) { return clRetainSampler(SAMPLER(h)); }},
      {"clReleaseSampler", Kind::Sampler, CL_INVALID_SAMPLER,
       [](void* h) { return clReleaseSampler(SAMPLER(h)); }},
      {"clGetSamplerInfo", Kind::Sampler, CL_INVALID_SAMPLER,
       [](void* h) {
         return clGetSamplerInfo(SAMPLER(h), CL_SAMPLER_FILTER_MODE, 0, nullptr, nullptr);
       }},
  };
}

/// A command's enqueue function with everything but the queue, an image, a buffer or image and the
/// wait list filled in.
using Enqueue = std::function<cl_int(cl_command_queue, cl_mem, cl_mem, cl_uint, const cl_event*)>;

struct ImageCommand {
  const char* name;
  Enqueue enqueue;
  Kind other; ///< of the second object; Image for commands with only one
};

std::vector<ImageCommand> imageCommands() {
  static cl_uint element[4];
  return {
      {"clEnqueueReadImage",
       [](auto q, auto a, auto, auto n, auto* l) {
         return clEnqueueReadImage(q, a, 0, zero, region, 0, 0, element, n, l, nullptr);
       },
       Kind::Image},
      {"clEnqueueWriteImage",
       [](auto q, auto a, auto, auto n, auto* l) {
         return clEnqueueWriteImage(q, a, 0, zero, region, 0, 0, element, n, l, nullptr);
       },
       Kind::Image},
      {"clEnqueueFillImage",
       [](auto q, auto a, auto, auto n, auto* l) {
         return clEnqueueFillImage(q, a, element, zero, region, n, l, nullptr);
       },
       Kind::Image},
      {"clEnqueueMapImage",
       [](auto q, auto a, auto, auto n, auto* l) {
         cl_int code = 1;
         size_t pitch = 0;
         void* mapped = clEnqueueMapImage(q, a, 0, CL_MAP_READ, zero, region, &pitch, nullptr, n, l,
                                          nullptr, &code);
         if (mapped)
           clEnqueueUnmapMemObject(q, a, mapped, 0, nullptr, nullptr);
         return mapped ? CL_SUCCESS : code;
       },
       Kind::Image},
      {"clEnqueueCopyImage",
       [](auto q, auto a, auto b, auto n, auto* l) {
         static const size_t target[3] = {2, 2, 0};
         return clEnqueueCopyImage(q, a, b, zero, target, region, n, l, nullptr);
       },
       Kind::Image},
      {"clEnqueueCopyImageToBuffer",
       [](auto q, auto a, auto b, auto n, auto* l) {
         return clEnqueueCopyImageToBuffer(q, a, b, zero, region, 0, n, l, nullptr);
       },
       Kind::Memory},
      {"clEnqueueCopyBufferToImage",
       [](auto q, auto a, auto b, auto n, auto* l) {
         return clEnqueueCopyBufferToImage(q, b, a, 0, zero, region, n, l, nullptr);
       },
       Kind::Memory},
  };
}

std::vector<Call> callsOfImageCommands(const Objects& objects) {
  std::vector<Call> calls;
  cl_command_queue queue = Device::get().queue;
  cl_mem image = objects.image;
  for (const ImageCommand& command : imageCommands()) {
    cl_mem other = static_cast<cl_mem>(objects.of(command.other));
    calls.push_back(
        {command.name, Kind::Queue, CL_INVALID_COMMAND_QUEUE,
         [=, f = command.enqueue](void* h) { return f(QUEUE(h), image, other, 0, nullptr); }});
    calls.push_back(
        {command.name, Kind::Event, CL_INVALID_EVENT_WAIT_LIST, [=, f = command.enqueue](void* h) {
           auto e = EVENT(h);
           return f(queue, image, other, 1, &e);
         }});
    calls.push_back(
        {command.name, Kind::Image, CL_INVALID_MEM_OBJECT,
         [=, f = command.enqueue](void* h) { return f(queue, MEMORY(h), other, 0, nullptr); }});
    if (std::string(command.name).find("Copy") != std::string::npos)
      calls.push_back(
          {command.name, command.other, CL_INVALID_MEM_OBJECT,
           [=, f = command.enqueue](void* h) { return f(queue, image, MEMORY(h), 0, nullptr); }});
  }
  return calls;
}

TEST(WrongHandles, ofImagesAndSamplers) {
  Objects objects;
  expectRefused(callsOfImages(), objects);
}

TEST(WrongHandles, ofImageCommands) {
  Objects objects;
  expectRefused(callsOfImageCommands(objects), objects);
}

/// An image is a memory object, but no buffer.
TEST(WrongHandles, imagesForBuffers) {
  Objects objects;
  cl_command_queue queue = Device::get().queue;
  cl_uint word = 0;
  EXPECT_EQ(clEnqueueReadBuffer(queue, objects.image, CL_TRUE, 0, 4, &word, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueFillBuffer(queue, objects.image, &word, 4, 0, 4, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, objects.image, objects.buffer.handle(), 0, 0, 4, 0, nullptr,
                                nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyImageToBuffer(queue, objects.image, objects.image, zero, region, 0, 0,
                                       nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
}

} // namespace
} // namespace quern::tests
