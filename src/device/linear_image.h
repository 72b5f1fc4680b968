#pragma once

#include <array>
#include <cstdint>

#include "abi/cpu_image.h"
#include "device/caps.h"
#include "device/image.h"

/// Images in linear memory, which kernels read and write through functions of the built-in library:
/// what devices without hardware for images, or whose hardware is not used, have in common.
namespace quern::device {

/// Fills in what such a device says about its images.
void describeLinearImages(Caps& caps);

/// The linear value of each 8-bit value of the sRGB color space (IEC 61966-2-1).
const std::array<float, 256>& srgbTable();

/// What kernels read of the image that is asked for. `srgbTableAddress` is where they find
/// srgbTable.
abi::CpuImage describeLinearImage(const ImageRequest& request, uint64_t srgbTableAddress);

} // namespace quern::device
