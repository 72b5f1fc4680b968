#pragma once

#include <cstring>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <CL/cl.h>
#include <gtest/gtest.h>

#include "claims/claims.h"

/// What tests need to run a kernel and compare its results: thin owners of OpenCL objects that
/// throw on any failed call, which GoogleTest reports as a failure of the test.
namespace quern::tests {

/// Throws std::runtime_error naming `call` and `code` unless `code` is CL_SUCCESS.
void check(cl_int code, std::string_view call);

/// The first device of the platform that QUERN_TEST_PLATFORM names ("Quern" when unset), with one
/// context and one in-order queue for the whole process. They are never released, so that no test
/// depends on the order of static destructors.
struct Device {
  cl_platform_id platform = nullptr;
  cl_device_id id = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  /// Made on first use. Throws when the platform is absent: a missing driver fails the tests, it
  /// does not skip them.
  static Device& get();

  template <typename T> T info(cl_device_info what) const {
    T value{};
    check(clGetDeviceInfo(id, what, sizeof(T), &value, nullptr), "clGetDeviceInfo");
    return value;
  }
  std::string text(cl_device_info what) const;
  /// Whether the device makes a claim, by its name in tests/claims.
  bool claims(std::string_view claim) const { return claims_->has(claim); }
  /// The first of `claims` that the device does not make. Throws when tests/claims says that it
  /// must.
  std::optional<std::string_view> lacks(std::initializer_list<std::string_view> claims) const;
  size_t maxWorkGroupSize() const { return info<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE); }

private:
  static Device make();

  std::optional<Claims> claims_;
  std::optional<Claims> list_; ///< of platforms other than Quern there is none
};

/// The build option of programs in OpenCL C 3.0.
inline constexpr const char* openClC3 = "-cl-std=CL3.0";

/// Skips the test on devices that need not make one of the claims, which are names as in
/// tests/claims; a device that must and does not fails it.
#define QUERN_NEEDS(...)                                                                           \
  if (const auto quernLacks = ::quern::tests::Device::get().lacks({__VA_ARGS__}))                  \
  GTEST_SKIP() << "devices of this kind need not claim " << *quernLacks

/// A platform of the process by its CL_PLATFORM_NAME, or null.
cl_platform_id findPlatform(std::string_view name);
std::string testPlatformName();

/// Owns one reference to a program.
class Program {
public:
  explicit Program(cl_program handle) : handle_(handle) {}
  Program(Program&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Program& operator=(Program&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Program() {
    if (handle_)
      clReleaseProgram(handle_);
  }
  cl_program handle() const { return handle_; }
  std::string log() const;
  /// The binary for the device under test.
  std::vector<unsigned char> binary() const;

private:
  cl_program handle_;
};

struct BuildOutcome {
  cl_int code;
  std::string log;
};

Program createProgram(std::string_view source);
/// Builds `source`; throws with the build log when that fails.
Program build(std::string_view source, const std::string& options = "");
/// Builds the file `name` of the folder that QUERN_KERNEL_FOLDER names, or beside the test's
/// sources.
Program buildFile(const std::string& name, const std::string& options = "");
/// For sources that must not build, and for their logs.
BuildOutcome tryBuild(std::string_view source, const std::string& options = "");
Program fromBinary(const std::vector<unsigned char>& binary);

/// A device buffer that holds `T`s.
template <typename T> class Buffer {
public:
  explicit Buffer(std::vector<T> contents) : count_(contents.size()) {
    cl_int code = CL_SUCCESS;
    handle_ = clCreateBuffer(Device::get().context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                             count_ * sizeof(T), contents.data(), &code);
    check(code, "clCreateBuffer");
  }
  explicit Buffer(size_t count, T value = {}) : Buffer(std::vector<T>(count, value)) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { clReleaseMemObject(handle_); }

  cl_mem handle() const { return handle_; }
  size_t size() const { return count_; }
  /// The contents after every command enqueued so far on the test queue.
  std::vector<T> read() const {
    std::vector<T> contents(count_);
    check(clEnqueueReadBuffer(Device::get().queue, handle_, CL_TRUE, 0, count_ * sizeof(T),
                              contents.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
    return contents;
  }

private:
  cl_mem handle_ = nullptr;
  size_t count_;
};

/// A local memory argument of so many bytes.
struct LocalBytes {
  size_t bytes;
};

/// Sizes in work-items. An empty `local` leaves the choice to the driver.
struct Range {
  std::vector<size_t> global;
  std::vector<size_t> local = {};
  std::vector<size_t> offset = {};
};

/// Owns one reference to a kernel.
class Kernel {
public:
  Kernel(const Program& program, const char* name);
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  ~Kernel() { clReleaseKernel(handle_); }
  cl_kernel handle() const { return handle_; }

  template <typename T> void set(cl_uint index, const Buffer<T>& buffer) {
    cl_mem handle = buffer.handle();
    setBytes(index, sizeof(handle), &handle);
  }
  void set(cl_uint index, LocalBytes local) { setBytes(index, local.bytes, nullptr); }
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void set(cl_uint index, const T& value) {
    setBytes(index, sizeof(T), &value);
  }
  template <typename... Arguments> void setAll(const Arguments&... arguments) {
    cl_uint index = 0;
    (set(index++, arguments), ...);
  }
  /// Enqueues on the test queue and returns without waiting.
  void enqueue(const Range& range);

private:
  void setBytes(cl_uint index, size_t bytes, const void* value);
  cl_kernel handle_ = nullptr;
};

/// Runs one kernel to its end.
template <typename... Arguments>
void run(const Program& program, const char* name, const Range& range,
         const Arguments&... arguments) {
  Kernel kernel(program, name);
  kernel.setAll(arguments...);
  kernel.enqueue(range);
  check(clFinish(Device::get().queue), "clFinish");
}

/// Differential mode: calls `body(local)` for each local size that the device can run, so that one
/// kernel is checked under different divisions into work-groups.
template <typename Body>
void forEachLocalSize(std::initializer_list<size_t> sizes, const Body& body) {
  for (size_t local : sizes) {
    if (local > Device::get().maxWorkGroupSize())
      continue;
    SCOPED_TRACE("local size " + std::to_string(local));
    body(local);
  }
}

/// The expected contents of a buffer, element by element from its index.
template <typename T, typename Function> std::vector<T> tabulate(size_t count, Function&& value) {
  std::vector<T> result(count);
  for (size_t i = 0; i < count; ++i)
    result[i] = static_cast<T>(value(i));
  return result;
}

} // namespace quern::tests
