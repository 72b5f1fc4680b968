#pragma once

#include "base/result.h"
#include "device/caps.h"
#include "device/image.h"

namespace quern::cpu {

/// An image whose handle is the address of its abi::CpuImage.
Result<Ref<device::Image>> createImage(const device::ImageRequest& request);

/// Fills in everything about images: all formats, for every kind of access that their elements
/// allow.
void describeImages(device::Caps& caps);

} // namespace quern::cpu
