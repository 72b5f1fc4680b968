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

/// clCreateFromGLTexture
Result<Ref<runtime::MemoryObject>> createFromGLTexture(cl_context context, cl_mem_flags flags,
                                                       cl_GLenum target, cl_GLint level,
                                                       cl_GLuint name);
/// clCreateFromGLTexture2D and clCreateFromGLTexture3D, which take textures of one kind each:
/// CL_GL_OBJECT_TEXTURE2D or CL_GL_OBJECT_TEXTURE3D.
Result<Ref<runtime::MemoryObject>> createFromGLTextureOf(cl_gl_object_type kind, cl_context context,
                                                         cl_mem_flags flags, cl_GLenum target,
                                                         cl_GLint level, cl_GLuint name);
/// clCreateFromGLRenderbuffer
Result<Ref<runtime::MemoryObject>> createFromGLRenderbuffer(cl_context context, cl_mem_flags flags,
                                                            cl_GLuint name);

/// clCreateFromEGLImageKHR
Result<Ref<runtime::MemoryObject>> createFromEglImage(cl_context context, void* display,
                                                      void* image, cl_mem_flags flags,
                                                      const intptr_t* properties);

/// clGetGLObjectInfo; the pointers may be null.
Status getGLObjectInfo(cl_mem memory, cl_gl_object_type* type, cl_GLuint* name);
/// clGetGLTextureInfo
Status getGLTextureInfo(cl_mem memory, cl_gl_texture_info name, const InfoRequest& request);

} // namespace quern::api
