// The part of cl_khr_command_buffer and cl_khr_command_buffer_mutable_dispatch that recorded_steps
// uses, found at run time: the headers of many systems are older than the extensions.
#pragma once

#include "gallery.h"

#include <string_view>

/// A kernel's argument, as clSetKernelArg takes it.
struct ChangedArgument {
  cl_uint index;
  size_t size;
  const void* value;
};

/// cl_mutable_dispatch_config_khr, as it is since version 0.9.2.
struct ChangedLaunch {
  cl_mutable_command_khr command;
  cl_uint argumentCount, svmArgumentCount, execInfoCount, workDim;
  const ChangedArgument* arguments;
  const void *svmArguments, *execInfos;
  const size_t *offset, *global, *local;
};

/// The version of an extension of the device; 0 where it has none.
inline cl_version versionOf(const cl::Device& device, std::string_view extension) {
  for (const cl_name_version& entry : device.getInfo<CL_DEVICE_EXTENSIONS_WITH_VERSION>())
    if (extension == entry.name)
      return entry.version;
  return 0;
}

class CommandBuffer {
public:
  explicit CommandBuffer(const cl::CommandQueue& queue, bool isMutable)
      : platform_(queue.getInfo<CL_QUEUE_DEVICE>().getInfo<CL_DEVICE_PLATFORM>()) {
    const auto create = find<clCreateCommandBufferKHR_fn>("clCreateCommandBufferKHR");
    const cl_command_buffer_properties_khr properties[] = {
        CL_COMMAND_BUFFER_FLAGS_KHR,
        isMutable ? cl_command_buffer_properties_khr{CL_COMMAND_BUFFER_MUTABLE_KHR} : 0, 0};
    const cl_command_queue list[] = {queue()};
    cl_int code = CL_SUCCESS;
    buffer_ = create(1, list, properties, &code);
    check(code, "clCreateCommandBufferKHR");
  }
  CommandBuffer(const CommandBuffer&) = delete;
  ~CommandBuffer() { find<clReleaseCommandBufferKHR_fn>("clReleaseCommandBufferKHR")(buffer_); }

  /// Records a launch of the kernel with its arguments as they are now. In a command buffer that
  /// may change, the handle stands for it.
  void launch(const cl::Kernel& kernel, size_t items, cl_mutable_command_khr* handle = nullptr) {
    static const auto function = find<clCommandNDRangeKernelKHR_fn>("clCommandNDRangeKernelKHR");
    check(function(buffer_, nullptr, nullptr, kernel(), 1, nullptr, &items, nullptr, 0, nullptr,
                   nullptr, handle),
          "clCommandNDRangeKernelKHR");
  }
  /// Nothing is recorded after this, and it can be enqueued.
  void finalize() {
    check(find<clFinalizeCommandBufferKHR_fn>("clFinalizeCommandBufferKHR")(buffer_),
          "clFinalizeCommandBufferKHR");
  }
  /// Gives launches another argument in all enqueues that follow. All that changes is best given in
  /// one call.
  template <typename T>
  void change(const std::vector<cl_mutable_command_khr>& launches, cl_uint index, const T& value) {
    using Update =
        cl_int(CL_API_CALL*)(cl_command_buffer_khr, cl_uint, const cl_uint*, const void**);
    static const auto function = find<Update>("clUpdateMutableCommandsKHR");
    const ChangedArgument argument = {index, sizeof(value), &value};
    std::vector<ChangedLaunch> changes(launches.size());
    std::vector<const void*> configs;
    for (size_t i = 0; i < launches.size(); ++i) {
      changes[i].command = launches[i];
      changes[i].argumentCount = 1;
      changes[i].arguments = &argument;
      configs.push_back(&changes[i]);
    }
    // Each is a CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR.
    const std::vector<cl_uint> types(launches.size(), 0);
    check(function(buffer_, static_cast<cl_uint>(configs.size()), types.data(), configs.data()),
          "clUpdateMutableCommandsKHR");
  }
  void enqueue() {
    static const auto function = find<clEnqueueCommandBufferKHR_fn>("clEnqueueCommandBufferKHR");
    check(function(0, nullptr, buffer_, 0, nullptr, nullptr), "clEnqueueCommandBufferKHR");
  }

private:
  template <typename Function> Function find(const char* name) const {
    return reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform_, name));
  }
  static void check(cl_int code, const char* what) {
    if (code != CL_SUCCESS)
      throw cl::Error(code, what);
  }

  cl_platform_id platform_;
  cl_command_buffer_khr buffer_ = nullptr;
};
