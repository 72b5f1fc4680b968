#include "api/unsupported.h"

#include "runtime/context.h"

namespace quern::api {

namespace {

bool isImageType(cl_mem_object_type type) {
  switch (type) {
  case CL_MEM_OBJECT_IMAGE1D:
  case CL_MEM_OBJECT_IMAGE1D_BUFFER:
  case CL_MEM_OBJECT_IMAGE1D_ARRAY:
  case CL_MEM_OBJECT_IMAGE2D:
  case CL_MEM_OBJECT_IMAGE2D_ARRAY:
  case CL_MEM_OBJECT_IMAGE3D:
    return true;
  default:
    return false;
  }
}

} // namespace

Status refuse(std::string_view feature, cl_int code) {
  return Status::error(code, sentence("no device supports ", feature));
}

Status getSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                                cl_uint entryCount, cl_image_format* formats,
                                cl_uint* formatCount) {
  constexpr cl_mem_flags known =
      CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR |
      CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_WRITE_ONLY |
      CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_KERNEL_READ_AND_WRITE;
  QUERN_TRY(fromHandle<runtime::Context>(context).takeStatus());
  // flags or image_type is not valid.
  if (flags & ~known)
    return Status::error(CL_INVALID_VALUE, sentence("memory flags ", flags, " are not valid"));
  if (!isImageType(type))
    return Status::error(CL_INVALID_VALUE, sentence("image_type ", type, " is not an image type"));
  // num_entries is zero and image_formats is not NULL.
  if (entryCount == 0 && formats)
    return Status::error(CL_INVALID_VALUE, "num_entries is 0 but image_formats is given");
  if (formatCount)
    *formatCount = 0;
  return {};
}

} // namespace quern::api
