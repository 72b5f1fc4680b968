#include "target.h"

#include "kernel_sources.h"
#include "stopwatch.h"

#include <cstring>
#include <random>

namespace quern::bench {
namespace {

/// The source with a number in it: caches look at the text, or at what a front end makes of it.
std::string neverSeen(const std::string& source) {
  const std::string number = std::to_string(freshNumber());
  return source + "\nconstant uint fresh_" + number + " = " + number + ";\n";
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

void Target::spoil(const Output& output, size_t offset, size_t bytes) {
  if (output.array)
    std::memset(output.array.get() + offset, 0xff, bytes);
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
