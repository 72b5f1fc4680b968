#include "api/image_formats.h"

#include <algorithm>

#include "api/handle.h"
#include "api/image.h"
#include "api/image_shape.h"
#include "api/memory_flags.h"
#include "runtime/context.h"

namespace quern::api {

namespace {

using runtime::Context;

constexpr cl_mem_flags accessFlags = kernelAccessFlags | CL_MEM_KERNEL_READ_AND_WRITE;

bool isSame(const cl_image_format& a, const cl_image_format& b) {
  return a.image_channel_order == b.image_channel_order &&
         a.image_channel_data_type == b.image_channel_data_type;
}

bool offers(const device::ImageFormat& row, cl_mem_flags flags, cl_mem_object_type type) {
  const cl_mem_flags asked = flags & accessFlags;
  const bool is2D = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  return (row.access & (asked ? asked : CL_MEM_READ_WRITE)) != 0 && (is2D || !row.only2D);
}

/// The union of what the devices offer.
std::vector<cl_image_format> formatsOf(const Context& context, cl_mem_flags flags,
                                       cl_mem_object_type type) {
  std::vector<cl_image_format> list;
  for (const Ref<runtime::Device>& device : context.devices()) {
    if (!device->caps().images)
      continue;
    for (const device::ImageFormat& row : device->caps().imageFormats) {
      const auto same = [&row](const cl_image_format& one) { return isSame(one, row.format); };
      if (offers(row, flags, type) && std::ranges::none_of(list, same))
        list.push_back(row.format);
    }
  }
  return list;
}

} // namespace

bool hasImages(const Context& context) {
  return std::ranges::any_of(
      context.devices(), [](const Ref<runtime::Device>& device) { return device->caps().images; });
}

bool supportsFormat(const device::Caps& caps, const cl_image_format& format, cl_mem_flags flags,
                    cl_mem_object_type type) {
  return caps.images && std::ranges::any_of(caps.imageFormats, [&](const device::ImageFormat& row) {
           return isSame(row.format, format) && offers(row, flags, type);
         });
}

Status getSupportedImageFormats(cl_context handle, cl_mem_flags flags, cl_mem_object_type type,
                                cl_uint entryCount, cl_image_format* formats,
                                cl_uint* formatCount) {
  QUERN_ASSIGN(const Context* context, fromHandle<Context>(handle));
  // flags or image_type is not valid.
  const cl_mem_flags asked = flags & accessFlags;
  if ((flags & CL_MEM_KERNEL_READ_AND_WRITE) && (asked & (asked - 1)) != 0)
    return Status::error(CL_INVALID_VALUE,
                         "CL_MEM_KERNEL_READ_AND_WRITE excludes the other kinds of access");
  QUERN_TRY(checkFlags(flags & ~cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE}));
  if (!isImageType(type))
    return Status::error(CL_INVALID_VALUE, sentence("image_type ", type, " is not an image type"));
  // num_entries is zero and image_formats is not NULL.
  if (entryCount == 0 && formats)
    return Status::error(CL_INVALID_VALUE, "num_entries is 0 but image_formats is given");
  const std::vector<cl_image_format> list = formatsOf(*context, flags, type);
  if (formats)
    std::ranges::copy_n(list.begin(), std::min<size_t>(entryCount, list.size()), formats);
  if (formatCount)
    *formatCount = static_cast<cl_uint>(list.size());
  return {};
}

} // namespace quern::api
