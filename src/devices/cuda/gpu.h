#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "base/result.h"
#include "devices/cuda/driver_api.h"

namespace quern::cuda {

/// One GPU with its CUDA context, which is made when it is first needed and then lives as long as
/// the process: other users of CUDA in the process share it. Thread-safe.
class Gpu {
public:
  Gpu(const DriverApi& api, DeviceNumber number);

  /// Makes the context. Fails with CL_OUT_OF_RESOURCES or CL_OUT_OF_HOST_MEMORY.
  Status open();

  /// Zero when the driver does not know the attribute.
  int attribute(DeviceAttribute attribute) const;

  /// Nothing for Error::Success; otherwise an error of `code` that says what could not be done and
  /// the driver's reason.
  Status check(Error error, const std::string& what, cl_int code) const;

  ContextHandle context() const { return context_; }

  const DriverApi& api;
  const DeviceNumber number;
  const uint64_t localMemBytes; ///< that a work-group can have

private:
  std::once_flag opened_;
  ContextHandle context_ = nullptr;
  Error openError_ = Error::Success;
};

/// Makes the GPU's context, which is open, the calling thread's for as long as it lives, and beyond
/// where the thread had none.
class CurrentContext {
public:
  explicit CurrentContext(const Gpu& gpu);
  ~CurrentContext();
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

private:
  const DriverApi& api_;
  ContextHandle previous_ = nullptr;
  bool changed_ = false;
};

} // namespace quern::cuda
