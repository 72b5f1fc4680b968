#pragma once

#include "opengl/image.h"

namespace quern::opengl {

/// Whether `target` is one that clCreateFromGLTexture takes.
bool isTextureTarget(GLenum target);

/// What clGetGLObjectInfo calls textures of `target`, which isTextureTarget knows.
cl_gl_object_type objectType(GLenum target);

/// The level `level` of the texture `name`, or of one face of a cube map. `target` is one that
/// isTextureTarget knows. Fails as clCreateFromGLTexture does.
Result<Ref<Image>> findTexture(const Functions& functions, GLenum target, GLint level, GLuint name);

} // namespace quern::opengl
