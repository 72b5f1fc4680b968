#include "target.h"

#include "kernel_sources.h"
#include "stopwatch.h"

#include <array>
#include <cstring>
#include <random>

namespace quern::bench {
namespace {

/// The source with a number in it: caches look at the text, or at what a front end makes of it.
std::string neverSeen(const std::string& source) {
  const std::string number = std::to_string(freshNumber());
  return source + "\nconstant uint fresh_" + number + " = " + number + ";\n";
}

std::array<cl::size_type, 3> regionOf(const cl::Image2D& image) {
  return {image.getImageInfo<CL_IMAGE_WIDTH>(), image.getImageInfo<CL_IMAGE_HEIGHT>(), 1};
}

} // namespace

Target::Target(Description description, const cl::Device& device)
    : description_(std::move(description)), device_(device), context_(device),
      queue_(context_, device) {}

cl::Program Target::program(const std::string& fileName, const std::string& options) {
  const std::string key = fileName + '\n' + options;
  if (const auto found = programs_.find(key); found != programs_.end() && !buildsAnew_)
    return found->second;
  const std::string source = kernelSource(fileName);
  cl::Program program(context_, buildsAnew_ ? neverSeen(source) : source);
  program.build({device_}, options.c_str());
  if (!buildsAnew_)
    programs_[key] = program;
  return program;
}

cl::Buffer Target::newBuffer(cl_mem_flags flags, size_t bytes, void* data) {
  const Stopwatch stopwatch;
  cl::Buffer buffer(context_, flags, bytes, data);
  bufferSeconds_ += stopwatch.seconds();
  return buffer;
}

std::vector<unsigned char> Target::read(const cl::Image2D& image) {
  std::vector<unsigned char> bytes(Output(image).bytes);
  queue_.enqueueReadImage(image, CL_TRUE, {0, 0, 0}, regionOf(image), 0, 0, bytes.data());
  return bytes;
}

void Target::spoilImage(const cl::Image2D& image, size_t offset, size_t bytes) {
  std::vector<unsigned char> all = read(image);
  std::memset(all.data() + offset, 0xff, bytes);
  queue_.enqueueWriteImage(image, CL_TRUE, {0, 0, 0}, regionOf(image), 0, 0, all.data());
}

void Target::spoil(const Output& output, size_t offset, size_t bytes) {
  if (output.array)
    std::memset(output.array.get() + offset, 0xff, bytes);
  else if (output.image())
    spoilImage(output.image, offset, bytes);
  else
    queue_.enqueueFillBuffer(output.buffer, ~cl_uint{0}, offset, bytes);
  queue_.finish();
}

unsigned freshNumber() {
  static unsigned next = std::random_device()() % (1u << 29);
  return next++;
}

std::string explain(const std::exception& error) {
  std::string text = error.what();
  if (const auto* call = dynamic_cast<const cl::Error*>(&error))
    text += " failed with the code " + std::to_string(call->err());
  if (const auto* build = dynamic_cast<const cl::BuildError*>(&error);
      build && !build->getBuildLog().empty())
    text += ": " + build->getBuildLog().front().second.substr(0, 400);
  return text;
}

} // namespace quern::bench
