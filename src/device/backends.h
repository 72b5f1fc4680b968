#pragma once

#include <span>
#include <string_view>

#include "device/device.h"

namespace quern::device {

/// A backend that was built in.
struct Backend {
  std::string_view name; ///< as the option QUERN_DEVICES names it
  Enumerate enumerate;
};

/// A device of the backend with this name.
struct NamedDevice {
  std::string_view backend;
  Ref<Device> device;
};

/// One device that stands for those of `devices` that `which`, a value of the option QUERN_UNITE,
/// names. Fails with CL_INVALID_VALUE where it names none, and as Device::partition does.
Result<Ref<Device>> unite(std::string_view which, std::span<const NamedDevice> devices);

/// All backends, in no particular order: which ones are used is the program's choice
/// (QUERN_DEVICES). Looking at the list does no work; only calling `enumerate` does. Defined in
/// devices/backends.cpp, the one place that knows every backend.
std::span<const Backend> backends();

} // namespace quern::device
