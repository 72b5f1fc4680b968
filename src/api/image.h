#pragma once

#include <CL/cl.h>

#include "api/info.h"
#include "base/ref.h"
#include "base/result.h"
#include "runtime/memory.h"

namespace quern::api {

/// clCreateImageWithProperties; with NULL properties also clCreateImage. Published as a
/// MemoryObject.
Result<Ref<runtime::MemoryObject>> createImage(cl_context context,
                                               const cl_mem_properties* properties,
                                               cl_mem_flags flags, const cl_image_format* format,
                                               const cl_image_desc* description, void* hostPointer);

/// The deprecated clCreateImage2D and clCreateImage3D, whose errors in sizes and pitches are
/// CL_INVALID_IMAGE_SIZE.
Result<Ref<runtime::MemoryObject>> createPlainImage(cl_context context, cl_mem_flags flags,
                                                    const cl_image_format* format,
                                                    const cl_image_desc& description,
                                                    void* hostPointer);

Status getSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                                cl_uint entryCount, cl_image_format* formats, cl_uint* formatCount);
Status getImageInfo(cl_mem image, cl_image_info name, const InfoRequest& request);

} // namespace quern::api
