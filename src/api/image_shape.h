#pragma once

#include <CL/cl.h>

#include "base/result.h"
#include "runtime/image.h"

/// The description of an image that is to be made: types, sizes and pitches.
namespace quern::api {

/// The error of an image descriptor.
inline Status invalidDescriptor(std::string text) {
  return Status::error(CL_INVALID_IMAGE_DESCRIPTOR, std::move(text));
}

bool isImageType(cl_mem_object_type type);
bool isImageArray(cl_mem_object_type type);

/// CL_INVALID_IMAGE_FORMAT_DESCRIPTOR when `format` is NULL or its values are not valid.
Status checkFormat(const cl_image_format* format);

/// The format's place in a list, for errors.
std::string formatName(const cl_image_format& format);

/// What `description` says, with what it leaves open filled in. `hasElements`: the program gives a
/// host pointer or a buffer, so that it may give pitches, too. CL_INVALID_IMAGE_DESCRIPTOR for
/// values that are not valid, CL_INVALID_IMAGE_SIZE for a size that is zero or that no device of
/// the context has.
Result<runtime::Image::Shape> parseShape(const runtime::Context& context,
                                         const cl_image_format& format,
                                         const cl_image_desc* description, bool hasElements);

/// Bytes from the first element to the end of the last row, padding included, as the specification
/// counts an image's memory.
uint64_t memoryBytes(const runtime::Image::Shape& shape);

} // namespace quern::api
