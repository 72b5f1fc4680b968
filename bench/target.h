// One side of the comparison: a platform's device, ready to run kernels.
#pragma once

#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace quern::bench {

/// Memory that holds a result: a buffer, an image, or an array of the host that a command reads
/// into.
struct Output {
  Output(const cl::Buffer& buffer) : buffer(buffer), bytes(buffer.getInfo<CL_MEM_SIZE>()) {}
  Output(const cl::Image2D& image)
      : image(image),
        bytes(image.getImageInfo<CL_IMAGE_ELEMENT_SIZE>() * image.getImageInfo<CL_IMAGE_WIDTH>() *
              image.getImageInfo<CL_IMAGE_HEIGHT>()) {}
  template <typename T>
  Output(const std::shared_ptr<std::vector<T>>& array)
      : array(array, reinterpret_cast<unsigned char*>(array->data())),
        bytes(array->size() * sizeof(T)) {}

  // One of these; the others are null.
  cl::Buffer buffer;
  cl::Image2D image;
  std::shared_ptr<unsigned char> array;
  size_t bytes;
};

/// What the report says about a side.
struct Description {
  std::string name;
  std::string version;       ///< of the platform
  std::string driverVersion; ///< of the device
  std::string device;
  std::string kind;    ///< of the device: "CPU", "GPU" or "accelerator"
  std::string library; ///< the file whose functions answer; empty if that cannot be found out
};

class Target {
public:
  Target(Description description, const cl::Device& device);

  const Description& description() const { return description_; }
  const std::string& name() const { return description_.name; }
  const cl::Device& device() const { return device_; }
  const cl::Context& context() const { return context_; }
  cl::CommandQueue& queue() { return queue_; }
  /// False for kernels in CUDA C++ (bench/cuda), which stand for the sources.
  bool compilesSources() const { return device_.getInfo<CL_DEVICE_COMPILER_AVAILABLE>(); }

  /// The program of a kernel file, by its name. Built once per set of options, or each time while
  /// `buildsAnew`. Throws cl::Error.
  cl::Program program(const std::string& fileName, const std::string& options = "");
  /// Whether program() builds each time, from a source that no cache has seen before.
  void setBuildsAnew(bool buildsAnew) { buildsAnew_ = buildsAnew; }

  template <typename T> cl::Buffer bufferFrom(const std::vector<T>& values) {
    return newBuffer(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.size() * sizeof(T),
                     const_cast<T*>(values.data()));
  }
  /// An uninitialised buffer for `count` values.
  template <typename T> cl::Buffer bufferOf(size_t count) {
    return newBuffer(CL_MEM_READ_WRITE, count * sizeof(T), nullptr);
  }
  /// The seconds that making buffers has taken so far.
  double bufferSeconds() const { return bufferSeconds_; }

  /// The first `count` values of a buffer, after all commands enqueued so far.
  template <typename T> std::vector<T> read(const cl::Buffer& buffer, size_t count) {
    std::vector<T> values(count);
    queue_.enqueueReadBuffer(buffer, CL_TRUE, 0, count * sizeof(T), values.data());
    return values;
  }

  /// All bytes of an image, row after row.
  std::vector<unsigned char> read(const cl::Image2D& image);

  /// Overwrites `bytes` bytes, a multiple of 4, with what no right result has: bits that are all
  /// set, which is not-a-number in each floating-point type and -1 in whole numbers.
  void spoil(const Output& output, size_t offset, size_t bytes);
  void spoil(const Output& output) { spoil(output, 0, output.bytes); }

private:
  void spoilImage(const cl::Image2D& image, size_t offset, size_t bytes);
  cl::Buffer newBuffer(cl_mem_flags flags, size_t bytes, void* data);

  Description description_;
  cl::Device device_;
  cl::Context context_;
  cl::CommandQueue queue_;
  std::map<std::string, cl::Program> programs_;
  bool buildsAnew_ = false;
  double bufferSeconds_ = 0;
};

/// A number that no earlier call has given, and no earlier process is likely to have had: what
/// makes a source new to all caches. Below 2^30.
unsigned freshNumber();

/// What went wrong, in a sentence, with the first lines of the build log if there is one.
std::string explain(const std::exception& error);

} // namespace quern::bench
