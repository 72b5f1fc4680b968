#include "kernels/images/device_image.h"

namespace quern::tests {

cl_image_desc descriptionOf(const HostImage& host) {
  cl_image_desc description = {};
  description.image_type = host.type();
  description.image_width = host.size()[0];
  description.image_height = host.size()[1];
  description.image_depth = host.size()[2];
  if (host.isArray())
    description.image_array_size = host.size()[host.dimensions()];
  return description;
}

DeviceImage::DeviceImage(const HostImage& host, cl_mem_flags flags) {
  const cl_image_desc description = descriptionOf(host);
  cl_int code = CL_SUCCESS;
  handle_ = clCreateImage(Device::get().context, flags | CL_MEM_COPY_HOST_PTR, &host.format(),
                          &description, const_cast<uint8_t*>(host.bytes().data()), &code);
  check(code, "clCreateImage");
}

void DeviceImage::read(HostImage& host) const {
  const size_t origin[3] = {};
  check(clEnqueueReadImage(Device::get().queue, handle_, CL_TRUE, origin, host.size().data(), 0, 0,
                           host.bytes().data(), 0, nullptr, nullptr),
        "clEnqueueReadImage");
}

DeviceSampler::DeviceSampler(const HostSampler& host) {
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                              host.normalized,
                                              CL_SAMPLER_ADDRESSING_MODE,
                                              host.addressing,
                                              CL_SAMPLER_FILTER_MODE,
                                              host.filter,
                                              0};
  cl_int code = CL_SUCCESS;
  handle_ = clCreateSamplerWithProperties(Device::get().context, properties, &code);
  check(code, "clCreateSamplerWithProperties");
}

std::vector<cl_image_format> supportedFormats(cl_mem_flags flags, cl_mem_object_type type) {
  cl_uint count = 0;
  check(clGetSupportedImageFormats(Device::get().context, flags, type, 0, nullptr, &count),
        "clGetSupportedImageFormats");
  std::vector<cl_image_format> formats(count);
  check(clGetSupportedImageFormats(Device::get().context, flags, type, count, formats.data(),
                                   nullptr),
        "clGetSupportedImageFormats");
  return formats;
}

std::string typeName(cl_mem_object_type type, bool isDepth) {
  switch (type) {
  case CL_MEM_OBJECT_IMAGE1D:
    return "image1d_t";
  case CL_MEM_OBJECT_IMAGE1D_BUFFER:
    return "image1d_buffer_t";
  case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    return "image1d_array_t";
  case CL_MEM_OBJECT_IMAGE2D:
    return isDepth ? "image2d_depth_t" : "image2d_t";
  case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    return isDepth ? "image2d_array_depth_t" : "image2d_array_t";
  default:
    return "image3d_t";
  }
}

std::string describe(const cl_image_format& format) {
  char text[64];
  std::snprintf(text, sizeof(text), "order 0x%x, type 0x%x", format.image_channel_order,
                format.image_channel_data_type);
  return text;
}

} // namespace quern::tests
