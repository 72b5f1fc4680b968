#pragma once

#include "opengl/image.h"

namespace quern::opengl {

bool isMultisampleTarget(GLenum target);

/// A texture of one of these targets (cl_khr_gl_msaa_sharing). Each sample of each layer is a slice
/// of the host's elements: sample s of layer l is slice l * samples + s. They can only be read.
Ref<Image> makeMultisampleTexture(const Object::Name& name, const Image::Shape& shape);

} // namespace quern::opengl
