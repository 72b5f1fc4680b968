#pragma once

#include "device/caps.h"
#include "devices/cuda/gpu.h"

namespace quern::cuda {

/// What the GPU is and can do. Makes no context.
device::Caps makeCaps(const Gpu& gpu);

} // namespace quern::cuda
