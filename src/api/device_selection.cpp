#include "api/device_selection.h"

#include "base/sentence.h"

namespace quern::api {

namespace {

constexpr cl_device_type singleTypes = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU |
                                       CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR |
                                       CL_DEVICE_TYPE_CUSTOM;

/// CL_DEVICE_TYPE_ALL, also as Java's int has it, whose sign fills the upper half.
bool isAll(cl_device_type type) {
  return type == CL_DEVICE_TYPE_ALL || type == ~cl_device_type{0};
}

} // namespace

Status checkDeviceType(cl_device_type type) {
  if (isAll(type) || (type != 0 && (type & ~singleTypes) == 0))
    return {};
  return Status::error(CL_INVALID_DEVICE_TYPE,
                       sentence("device_type ", type, " is not a device type"));
}

std::vector<Ref<runtime::Device>> devicesOfType(const runtime::Platform& platform,
                                                cl_device_type type) {
  const auto devices = platform.devices();
  std::vector<Ref<runtime::Device>> selected;
  for (const Ref<runtime::Device>& device : devices) {
    const cl_device_type own = device->caps().type;
    const bool isDefault = device == devices.front();
    const bool matches = isAll(type)
                             ? own != CL_DEVICE_TYPE_CUSTOM
                             : (own & type) || (isDefault && (type & CL_DEVICE_TYPE_DEFAULT));
    if (matches)
      selected.push_back(device);
  }
  return selected;
}

} // namespace quern::api
