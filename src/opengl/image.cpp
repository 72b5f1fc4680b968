#include "opengl/image.h"

#include "base/sentence.h"

namespace quern::opengl {

void Image::setHostLayout(const Functions& functions, const HostElements& host, GLenum rowLength,
                          GLenum imageHeight, GLenum alignment) const {
  const bool hasRows = shape_.size[1] > 1;
  const bool hasSlices = shape_.size[2] > 1;
  functions.pixelStorei(alignment, 1);
  functions.pixelStorei(rowLength,
                        hasRows ? asSize(host.rowStride / shape_.format->elementBytes) : 0);
  functions.pixelStorei(imageHeight,
                        hasSlices && hasRows ? asSize(host.sliceStride / host.rowStride) : 0);
}

Result<const ImageFormat*> sharedFormat(GLenum internal, const char* what) {
  const ImageFormat* const format = findFormat(internal);
  if (!format)
    return Status::error(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                         sentence("the ", what, " has the internal format ", internal,
                                  ", which no image of OpenCL can have"));
  return format;
}

} // namespace quern::opengl
