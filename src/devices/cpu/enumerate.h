#pragma once

#include <vector>

#include "device/device.h"

namespace quern::cpu {

/// device::Enumerate of this backend: one device, made of all CPUs that the process may use.
std::vector<Ref<device::Device>> enumerate();

} // namespace quern::cpu
