#include <span>

#include "device/image_format.h"
#include "device/linear_image.h"

namespace quern::device {

namespace {

// Without the orders that store a channel that means nothing (CL_Rx, CL_RGBx, ...): for their
// border the specification asks for transparent black and the conformance suite for opaque black.
constexpr cl_channel_order orders[] = {CL_RGBA,      CL_BGRA,  CL_ARGB,  CL_ABGR, CL_R,
                                       CL_A,         CL_RG,    CL_RA,    CL_RGB,  CL_INTENSITY,
                                       CL_LUMINANCE, CL_DEPTH, CL_sRGBA, CL_sBGRA};

constexpr cl_channel_type types[] = {
    CL_UNORM_INT8,      CL_UNORM_INT16,     CL_SNORM_INT8,       CL_SNORM_INT16,
    CL_SIGNED_INT8,     CL_SIGNED_INT16,    CL_SIGNED_INT32,     CL_UNSIGNED_INT8,
    CL_UNSIGNED_INT16,  CL_UNSIGNED_INT32,  CL_HALF_FLOAT,       CL_FLOAT,
    CL_UNORM_SHORT_565, CL_UNORM_SHORT_555, CL_UNORM_INT_101010, CL_UNORM_INT_101010_2};

constexpr cl_mem_flags everyAccess =
    CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY | CL_MEM_READ_WRITE | CL_MEM_KERNEL_READ_AND_WRITE;

} // namespace

void describeLinearImages(Caps& caps) {
  caps.images = true;
  caps.imageLimits = {.max2D = {16384, 16384},
                      .max3D = {2048, 2048, 2048},
                      .maxBufferElements = size_t{1} << 27,
                      .maxLayers = 2048,
                      .maxReadArguments = 128,
                      .maxWriteArguments = 64,
                      .maxReadWriteArguments = 64,
                      .maxSamplers = 16,
                      .pitchAlignment = 1,
                      .baseAddressAlignment = 1};
  for (const cl_channel_order order : orders)
    for (const cl_channel_type type : types) {
      const cl_image_format format = {order, type};
      if (elementBytes(format) == 0)
        continue;
      // Kernels cannot write sRGB values without cl_khr_srgb_image_writes.
      const cl_mem_flags access = isSrgb(order) ? CL_MEM_READ_ONLY : everyAccess;
      caps.imageFormats.push_back({format, access, order == CL_DEPTH});
    }
}

} // namespace quern::device
