#pragma once

#include <cstdint>

#include <CL/cl.h>

/// Facts about image formats that hold on every device (OpenCL 3.0, 5.3.1.1).
namespace quern::device {

/// Channels that an element stores; 0 for an order that no format of ours has.
uint32_t channelCount(cl_channel_order order);

/// Bytes of an element; 0 when order and type make no format of ours, such as CL_RGB with channels
/// of 8 bits.
uint32_t elementBytes(const cl_image_format& format);

/// Whether the order is one of the specification's that no image that OpenCL itself makes has here,
/// whatever the type.
bool isForeignOrder(cl_channel_order order);

/// Whether elements have one value, the depth, beside which there may be a stencil.
bool isDepth(const cl_image_format& format);

/// Whether the order is one whose color channels are in the sRGB color space.
bool isSrgb(cl_channel_order order);

} // namespace quern::device
