#pragma once

#include "opengl/image.h"

namespace quern::opengl {

/// Whether what is written to a texture of an EGLImage comes to the EGLImage.
bool canWriteEglImages(const Functions& functions);

/// The EGLImage `image`, for which a texture of the share group is made. CL_INVALID_EGL_OBJECT_KHR
/// where it is none, CL_IMAGE_FORMAT_NOT_SUPPORTED where no image of OpenCL can have its format.
Result<Ref<Image>> findEglImage(const Functions& functions, void* image);

} // namespace quern::opengl
