#pragma once

#include <array>
#include <cstddef>

#include <CL/cl.h>

namespace quern::api {

/// The element that clEnqueueFillImage stores for `color`: four floats, cl_int or cl_uint as the
/// format's type asks, or one float for CL_DEPTH (OpenCL 3.0, clEnqueueFillImage and "Conversion
/// Rules"). Bytes behind the element are zero.
std::array<std::byte, 16> encodeFillColor(const cl_image_format& format, const void* color);

} // namespace quern::api
