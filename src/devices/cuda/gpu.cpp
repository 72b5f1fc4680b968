#include "devices/cuda/gpu.h"

#include <algorithm>

#include "base/log.h"

namespace quern::cuda {

/// Most GPUs give more to work-groups that ask for it.
Gpu::Gpu(const DriverApi& api, DeviceNumber number)
    : api(api), number(number),
      localMemBytes(
          static_cast<uint64_t>(std::max(attribute(DeviceAttribute::MaxSharedMemoryPerBlockOptin),
                                         attribute(DeviceAttribute::MaxSharedMemoryPerBlock)))) {}

Status Gpu::open() {
  std::call_once(opened_, [this] { openError_ = api.devicePrimaryCtxRetain(&context_, number); });
  return check(openError_, "the GPU's context could not be made", CL_OUT_OF_RESOURCES);
}

int Gpu::attribute(DeviceAttribute attribute) const {
  int value = 0;
  return api.deviceGetAttribute(&value, attribute, number) == Error::Success ? value : 0;
}

Status Gpu::check(Error error, const std::string& what, cl_int code) const {
  if (error == Error::Success)
    return {};
  const char* text = nullptr;
  if (api.getErrorString(error, &text) != Error::Success || !text)
    text = "an error that the driver does not describe";
  return Status::error(code, what + ": " + text, static_cast<int>(error));
}

CurrentContext::CurrentContext(const Gpu& gpu) : api_(gpu.api) {
  changed_ = api_.ctxGetCurrent(&previous_) == Error::Success && previous_ != gpu.context();
  if (changed_)
    api_.ctxSetCurrent(gpu.context());
}

CurrentContext::~CurrentContext() {
  if (changed_ && previous_)
    api_.ctxSetCurrent(previous_);
}

} // namespace quern::cuda
