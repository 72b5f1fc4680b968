#pragma once

#include "opengl/image.h"

namespace quern::opengl {

/// The renderbuffer `name`. Fails as clCreateFromGLRenderbuffer does.
Result<Ref<Image>> findRenderbuffer(const Functions& functions, GLuint name);

} // namespace quern::opengl
