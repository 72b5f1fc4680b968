#pragma once

#include "base/result.h"
#include "device/image.h"

namespace quern::cpu {

/// An image whose handle is the address of its abi::CpuImage.
Result<Ref<device::Image>> createImage(const device::ImageRequest& request);

} // namespace quern::cpu
