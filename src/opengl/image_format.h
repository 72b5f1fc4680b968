#pragma once

#include <cstdint>

#include <CL/cl.h>

#include "opengl/functions.h"

namespace quern::opengl {

/// A format that an image of OpenCL can share with OpenGL (OpenCL 3.0, cl_khr_gl_sharing, "OpenGL
/// Internal Formats and Corresponding OpenCL Internal Formats").
struct ImageFormat {
  GLenum internal;
  /// What the program and kernels are told.
  cl_image_format announced;
  /// How elements are stored: as the format and type of OpenGL say. Differs from `announced` where
  /// there is a stencil beside the depth, which no kernel sees.
  cl_image_format stored;
  GLenum format, type;
  uint32_t elementBytes; ///< as stored

  bool isDepth() const { return format == GL_DEPTH_COMPONENT; }
};

/// Null where no image can have the internal format.
const ImageFormat* findFormat(GLenum internal);

/// The internal format with the sizes that OpenGL chose for the base format `internal`, by the size
/// and type of its red component (GL_TEXTURE_RED_SIZE, GL_TEXTURE_RED_TYPE); `internal` itself
/// where it has sizes.
GLenum withSizes(GLenum internal, GLint redBits, GLenum redType);

} // namespace quern::opengl
