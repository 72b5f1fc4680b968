#pragma once

#include <vector>

#include <CL/cl.h>

#include "device/caps.h"
#include "runtime/context.h"

namespace quern::api {

bool hasImages(const runtime::Context& context);

/// Whether `format` can be that of an image of `type` on the device, used as `flags` say
/// (CL_MEM_READ_WRITE by default).
bool supportsFormat(const device::Caps& caps, const cl_image_format& format, cl_mem_flags flags,
                    cl_mem_object_type type);

} // namespace quern::api
