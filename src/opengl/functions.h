#pragma once

#include <GL/glcorearb.h>

/// The part of OpenGL that sharing uses.
namespace quern::opengl {

// F(name here, name in OpenGL, type)
#define QUERN_OPENGL_FUNCTIONS(F)                                                                  \
  F(getError, "glGetError", PFNGLGETERRORPROC)                                                     \
  F(getIntegerv, "glGetIntegerv", PFNGLGETINTEGERVPROC)                                            \
  F(flush, "glFlush", PFNGLFLUSHPROC)                                                              \
  F(finish, "glFinish", PFNGLFINISHPROC)                                                           \
  F(isBuffer, "glIsBuffer", PFNGLISBUFFERPROC)                                                     \
  F(genBuffers, "glGenBuffers", PFNGLGENBUFFERSPROC)                                               \
  F(deleteBuffers, "glDeleteBuffers", PFNGLDELETEBUFFERSPROC)                                      \
  F(bindBuffer, "glBindBuffer", PFNGLBINDBUFFERPROC)                                               \
  F(bufferData, "glBufferData", PFNGLBUFFERDATAPROC)                                               \
  F(bufferSubData, "glBufferSubData", PFNGLBUFFERSUBDATAPROC)                                      \
  F(getBufferSubData, "glGetBufferSubData", PFNGLGETBUFFERSUBDATAPROC)                             \
  F(copyBufferSubData, "glCopyBufferSubData", PFNGLCOPYBUFFERSUBDATAPROC)                          \
  F(getBufferParameteri64v, "glGetBufferParameteri64v", PFNGLGETBUFFERPARAMETERI64VPROC)           \
  F(fenceSync, "glFenceSync", PFNGLFENCESYNCPROC)                                                  \
  F(isSync, "glIsSync", PFNGLISSYNCPROC)                                                           \
  F(clientWaitSync, "glClientWaitSync", PFNGLCLIENTWAITSYNCPROC)                                   \
  F(deleteSync, "glDeleteSync", PFNGLDELETESYNCPROC)

/// Valid in any context that has them. Immutable once loaded, so usable from any thread that has a
/// current context.
struct Functions {
#define QUERN_OPENGL_DECLARE(name, symbol, type) type name = nullptr;
  QUERN_OPENGL_FUNCTIONS(QUERN_OPENGL_DECLARE)
#undef QUERN_OPENGL_DECLARE

  using GetAddress = void* (*)(const char* symbol);
  /// The functions that `getAddress` finds; the name of one that it does not in `missing`.
  static Functions load(GetAddress getAddress, const char*& missing);

  /// Forgets errors of earlier calls.
  void clearErrors() const;
};

} // namespace quern::opengl
