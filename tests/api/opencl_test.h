#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <gtest/gtest.h>

/// What the tests of the host API share: objects that release themselves and a fixture with Quern's
/// first device.
namespace quern::test {

template <auto release> struct Releaser {
  template <typename T> void operator()(T* handle) const { release(handle); }
};
template <typename Handle, auto release>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Releaser<release>>;

using Context = Owned<cl_context, clReleaseContext>;
using Queue = Owned<cl_command_queue, clReleaseCommandQueue>;
using Memory = Owned<cl_mem, clReleaseMemObject>;
using Event = Owned<cl_event, clReleaseEvent>;
using SubDevice = Owned<cl_device_id, clReleaseDevice>;

/// Quern's platform, found through the loader; fails the test when it is another one.
cl_platform_id quernPlatform();

/// The value of a query that returns a T.
template <typename T, typename Function, typename Handle>
T info(Function function, Handle handle, cl_uint name) {
  T value = {};
  size_t size = 0;
  EXPECT_EQ(CL_SUCCESS, function(handle, name, sizeof(T), &value, &size));
  EXPECT_EQ(sizeof(T), size);
  return value;
}

/// The value of a query that returns an array of T.
template <typename T, typename Function, typename Handle>
std::vector<T> infoList(Function function, Handle handle, cl_uint name) {
  size_t size = 0;
  EXPECT_EQ(CL_SUCCESS, function(handle, name, 0, nullptr, &size));
  EXPECT_EQ(0u, size % sizeof(T));
  std::vector<T> values(size / sizeof(T));
  if (!values.empty()) {
    EXPECT_EQ(CL_SUCCESS, function(handle, name, size, values.data(), nullptr));
  }
  return values;
}

template <typename Function, typename Handle>
std::string infoString(Function function, Handle handle, cl_uint name) {
  const std::vector<char> text = infoList<char>(function, handle, name);
  EXPECT_FALSE(text.empty());
  return text.empty() ? std::string() : std::string(text.data());
}

/// Checks what every query function promises: an unknown name and too little memory are errors that
/// write nothing.
template <typename Function, typename Handle>
void expectQueryErrors(Function function, Handle handle, cl_uint goodName) {
  size_t size = 0;
  EXPECT_EQ(CL_INVALID_VALUE, function(handle, 0xdead, 0, nullptr, &size));
  EXPECT_EQ(0u, size);
  ASSERT_EQ(CL_SUCCESS, function(handle, goodName, 0, nullptr, &size));
  std::vector<char> value(size, 'x');
  EXPECT_EQ(CL_INVALID_VALUE, function(handle, goodName, size - 1, value.data(), nullptr));
  EXPECT_EQ(std::vector<char>(size, 'x'), value);
}

/// Whether a file descriptor of this process is open.
bool isOpen(int file);

/// Platform, device, context and queues.
class OpenClTest : public ::testing::Test {
protected:
  void SetUp() override;

  Queue makeQueue(cl_command_queue_properties properties = 0) const;
  Memory makeBuffer(size_t bytes, cl_mem_flags flags = CL_MEM_READ_WRITE,
                    void* hostPointer = nullptr) const;
  /// A buffer that holds `values`.
  template <typename T> Memory makeBuffer(const std::vector<T>& values) const {
    return makeBuffer(values.size() * sizeof(T), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                      const_cast<T*>(values.data()));
  }
  Event makeUserEvent() const;
  /// What a buffer holds, read through `queue`.
  template <typename T> std::vector<T> contents(cl_mem buffer) const {
    std::vector<T> values(info<size_t>(clGetMemObjectInfo, buffer, CL_MEM_SIZE) / sizeof(T));
    EXPECT_EQ(CL_SUCCESS,
              clEnqueueReadBuffer(queue.get(), buffer, CL_TRUE, 0, values.size() * sizeof(T),
                                  values.data(), 0, nullptr, nullptr));
    return values;
  }

  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  Context context;
  Context otherContext;
  Queue queue; ///< in order, of `context`
};

/// Of a command's event.
inline cl_int statusOf(const Event& event) {
  return info<cl_int>(clGetEventInfo, event.get(), CL_EVENT_COMMAND_EXECUTION_STATUS);
}

} // namespace quern::test
