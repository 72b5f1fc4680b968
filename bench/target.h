// One side of the comparison: a platform's device, ready to run kernels.
#pragma once

#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include <map>
#include <string>
#include <vector>

namespace quern::bench {

class Target {
public:
  explicit Target(const cl::Platform& platform, const cl::Device& device);

  const std::string& platformName() const { return platformName_; }
  const std::string& platformVersion() const { return platformVersion_; }
  const std::string& deviceName() const { return deviceName_; }
  /// False for kernels in CUDA C++ (bench/cuda), which stand for the sources.
  bool compilesSources() const { return platformName_ != "CUDA C++"; }
  const cl::Device& device() const { return device_; }
  const cl::Context& context() const { return context_; }
  cl::CommandQueue& queue() { return queue_; }

  /// The program of a kernel file, by its name. Built once per set of options.
  /// Throws cl::Error.
  cl::Program program(const std::string& fileName, const std::string& options = "");

  template <typename T> cl::Buffer bufferFrom(const std::vector<T>& values) const {
    return cl::Buffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.size() * sizeof(T),
                      const_cast<T*>(values.data()));
  }
  /// An uninitialised buffer for `count` values.
  template <typename T> cl::Buffer bufferOf(size_t count) const {
    return cl::Buffer(context_, CL_MEM_READ_WRITE, count * sizeof(T));
  }
  /// The first `count` values of a buffer, after all commands enqueued so far.
  template <typename T> std::vector<T> read(const cl::Buffer& buffer, size_t count) {
    std::vector<T> values(count);
    queue_.enqueueReadBuffer(buffer, CL_TRUE, 0, count * sizeof(T), values.data());
    return values;
  }

private:
  std::string platformName_, platformVersion_, deviceName_;
  cl::Device device_;
  cl::Context context_;
  cl::CommandQueue queue_;
  std::map<std::string, cl::Program> programs_;
};

/// The first device of each installed platform whose name contains one of `names` (all platforms
/// when it is empty).
std::vector<Target> findTargets(const std::vector<std::string>& names);

/// What went wrong, in a sentence, with the first lines of the build log if there is one.
std::string explain(const std::exception& error);

} // namespace quern::bench
