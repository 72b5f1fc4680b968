#pragma once

#include <vector>

#include "device/device.h"

namespace quern::cuda {

/// device::Enumerate of this backend: the GPUs of the machine that NVIDIA's driver offers; none
/// without a driver, or with one that does not work. Makes no context on any GPU.
std::vector<Ref<device::Device>> enumerate();

} // namespace quern::cuda
