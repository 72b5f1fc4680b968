#pragma once

#include <CL/cl.h>
#include <CL/cl_gl.h>

#include "api/info.h"
#include "base/ref.h"
#include "base/result.h"
#include "runtime/memory.h"

/// Memory objects made from objects of OpenGL.
namespace quern::api {

/// clCreateFromGLBuffer
Result<Ref<runtime::MemoryObject>> createFromGLBuffer(cl_context context, cl_mem_flags flags,
                                                      cl_GLuint name);

/// clGetGLObjectInfo; the pointers may be null.
Status getGLObjectInfo(cl_mem memory, cl_gl_object_type* type, cl_GLuint* name);
/// clGetGLTextureInfo
Status getGLTextureInfo(cl_mem memory, cl_gl_texture_info name, const InfoRequest& request);

} // namespace quern::api
