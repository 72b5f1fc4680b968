#include "icd/entry.h"
#include "icd/functions.h"

#include "api/image.h"

namespace quern::icd {

cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                 const cl_image_format* image_format,
                                 const cl_image_desc* image_desc, void* host_ptr,
                                 cl_int* errcode_ret) {
  return create({"clCreateImage", context}, errcode_ret, [&] {
    return api::createImage(context, nullptr, flags, image_format, image_desc, host_ptr);
  });
}

cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context,
                                               const cl_mem_properties* properties,
                                               cl_mem_flags flags,
                                               const cl_image_format* image_format,
                                               const cl_image_desc* image_desc, void* host_ptr,
                                               cl_int* errcode_ret) {
  return create({"clCreateImageWithProperties", context}, errcode_ret, [&] {
    return api::createImage(context, properties, flags, image_format, image_desc, host_ptr);
  });
}

cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format* image_format, size_t image_width,
                                   size_t image_height, size_t image_row_pitch, void* host_ptr,
                                   cl_int* errcode_ret) {
  cl_image_desc description = {};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = image_width;
  description.image_height = image_height;
  description.image_row_pitch = image_row_pitch;
  return create({"clCreateImage2D", context}, errcode_ret, [&] {
    return api::createPlainImage(context, flags, image_format, description, host_ptr);
  });
}

cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format* image_format, size_t image_width,
                                   size_t image_height, size_t image_depth, size_t image_row_pitch,
                                   size_t image_slice_pitch, void* host_ptr, cl_int* errcode_ret) {
  cl_image_desc description = {};
  description.image_type = CL_MEM_OBJECT_IMAGE3D;
  description.image_width = image_width;
  description.image_height = image_height;
  description.image_depth = image_depth;
  description.image_row_pitch = image_row_pitch;
  description.image_slice_pitch = image_slice_pitch;
  return create({"clCreateImage3D", context}, errcode_ret, [&] {
    return api::createPlainImage(context, flags, image_format, description, host_ptr);
  });
}

cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                              cl_mem_object_type image_type, cl_uint num_entries,
                                              cl_image_format* image_formats,
                                              cl_uint* num_image_formats) {
  return run({"clGetSupportedImageFormats", context}, [&] {
    return api::getSupportedImageFormats(context, flags, image_type, num_entries, image_formats,
                                         num_image_formats);
  });
}

cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size,
                                  void* param_value, size_t* param_value_size_ret) {
  return run({"clGetImageInfo", image}, [&] {
    return api::getImageInfo(image, param_name,
                             {param_value_size, param_value, param_value_size_ret});
  });
}

} // namespace quern::icd
