#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/ref.h"
#include "base/result.h"
#include "device/backends.h"
#include "device/device.h"

namespace quern::united {

/// The devices that `which`, a value of the option QUERN_UNITE, names among `devices`: parts that
/// '+' separates, of which each is a backend's name or "all"; with "/4" behind it, four equal parts
/// of each of these devices, with "/numa" those of its NUMA nodes. "halves" is "cpu/2". Fails with
/// CL_INVALID_VALUE where it names none, and as device::Device::partition does.
Result<std::vector<Ref<device::Device>>>
chooseMembers(std::string_view which, std::span<const device::NamedDevice> devices);

} // namespace quern::united
