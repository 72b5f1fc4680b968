#pragma once

#include <vector>

#include "device/device.h"

namespace quern::null {

/// device::Enumerate of this backend: one device that runs every command except kernels, at once.
std::vector<Ref<device::Device>> enumerate();

} // namespace quern::null
