#include "icd/entry.h"
#include "icd/functions.h"

#include "api/unsupported.h"

/// Functions of missing features whose answer is not simply an error; the others are rows of
/// functions.def.
namespace quern::icd {

cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                              cl_mem_object_type image_type, cl_uint num_entries,
                                              cl_image_format* image_formats,
                                              cl_uint* num_image_formats) {
  return run({"clGetSupportedImageFormats", context}, [&] {
    return api::getSupportedImageFormats(context, flags, image_type, num_entries, image_formats,
                                         num_image_formats);
  });
}

} // namespace quern::icd
