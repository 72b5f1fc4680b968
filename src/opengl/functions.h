#pragma once

#include <GL/glcorearb.h>

/// The part of OpenGL that sharing uses.
namespace quern::opengl {

// F(name here, name in OpenGL, type)
#define QUERN_OPENGL_FUNCTIONS(F)                                                                  \
  F(getError, "glGetError", PFNGLGETERRORPROC)                                                     \
  F(getString, "glGetString", PFNGLGETSTRINGPROC)                                                  \
  F(getIntegerv, "glGetIntegerv", PFNGLGETINTEGERVPROC)                                            \
  F(flush, "glFlush", PFNGLFLUSHPROC)                                                              \
  F(finish, "glFinish", PFNGLFINISHPROC)                                                           \
  F(pixelStorei, "glPixelStorei", PFNGLPIXELSTOREIPROC)                                            \
  F(isBuffer, "glIsBuffer", PFNGLISBUFFERPROC)                                                     \
  F(genBuffers, "glGenBuffers", PFNGLGENBUFFERSPROC)                                               \
  F(deleteBuffers, "glDeleteBuffers", PFNGLDELETEBUFFERSPROC)                                      \
  F(bindBuffer, "glBindBuffer", PFNGLBINDBUFFERPROC)                                               \
  F(bufferData, "glBufferData", PFNGLBUFFERDATAPROC)                                               \
  F(bufferSubData, "glBufferSubData", PFNGLBUFFERSUBDATAPROC)                                      \
  F(getBufferSubData, "glGetBufferSubData", PFNGLGETBUFFERSUBDATAPROC)                             \
  F(copyBufferSubData, "glCopyBufferSubData", PFNGLCOPYBUFFERSUBDATAPROC)                          \
  F(getBufferParameteri64v, "glGetBufferParameteri64v", PFNGLGETBUFFERPARAMETERI64VPROC)           \
  F(isTexture, "glIsTexture", PFNGLISTEXTUREPROC)                                                  \
  F(genTextures, "glGenTextures", PFNGLGENTEXTURESPROC)                                            \
  F(deleteTextures, "glDeleteTextures", PFNGLDELETETEXTURESPROC)                                   \
  F(bindTexture, "glBindTexture", PFNGLBINDTEXTUREPROC)                                            \
  F(texParameteri, "glTexParameteri", PFNGLTEXPARAMETERIPROC)                                      \
  F(getTexParameteriv, "glGetTexParameteriv", PFNGLGETTEXPARAMETERIVPROC)                          \
  F(getTexLevelParameteriv, "glGetTexLevelParameteriv", PFNGLGETTEXLEVELPARAMETERIVPROC)           \
  F(getTexImage, "glGetTexImage", PFNGLGETTEXIMAGEPROC)                                            \
  F(texStorage2D, "glTexStorage2D", PFNGLTEXSTORAGE2DPROC)                                         \
  F(texSubImage1D, "glTexSubImage1D", PFNGLTEXSUBIMAGE1DPROC)                                      \
  F(texSubImage2D, "glTexSubImage2D", PFNGLTEXSUBIMAGE2DPROC)                                      \
  F(texSubImage3D, "glTexSubImage3D", PFNGLTEXSUBIMAGE3DPROC)                                      \
  F(isRenderbuffer, "glIsRenderbuffer", PFNGLISRENDERBUFFERPROC)                                   \
  F(bindRenderbuffer, "glBindRenderbuffer", PFNGLBINDRENDERBUFFERPROC)                             \
  F(getRenderbufferParameteriv, "glGetRenderbufferParameteriv",                                    \
    PFNGLGETRENDERBUFFERPARAMETERIVPROC)                                                           \
  F(genFramebuffers, "glGenFramebuffers", PFNGLGENFRAMEBUFFERSPROC)                                \
  F(deleteFramebuffers, "glDeleteFramebuffers", PFNGLDELETEFRAMEBUFFERSPROC)                       \
  F(bindFramebuffer, "glBindFramebuffer", PFNGLBINDFRAMEBUFFERPROC)                                \
  F(framebufferRenderbuffer, "glFramebufferRenderbuffer", PFNGLFRAMEBUFFERRENDERBUFFERPROC)        \
  F(framebufferTexture2D, "glFramebufferTexture2D", PFNGLFRAMEBUFFERTEXTURE2DPROC)                 \
  F(blitFramebuffer, "glBlitFramebuffer", PFNGLBLITFRAMEBUFFERPROC)                                \
  F(createShader, "glCreateShader", PFNGLCREATESHADERPROC)                                         \
  F(deleteShader, "glDeleteShader", PFNGLDELETESHADERPROC)                                         \
  F(shaderSource, "glShaderSource", PFNGLSHADERSOURCEPROC)                                         \
  F(compileShader, "glCompileShader", PFNGLCOMPILESHADERPROC)                                      \
  F(createProgram, "glCreateProgram", PFNGLCREATEPROGRAMPROC)                                      \
  F(deleteProgram, "glDeleteProgram", PFNGLDELETEPROGRAMPROC)                                      \
  F(attachShader, "glAttachShader", PFNGLATTACHSHADERPROC)                                         \
  F(linkProgram, "glLinkProgram", PFNGLLINKPROGRAMPROC)                                            \
  F(useProgram, "glUseProgram", PFNGLUSEPROGRAMPROC)                                               \
  F(getUniformLocation, "glGetUniformLocation", PFNGLGETUNIFORMLOCATIONPROC)                       \
  F(uniform2i, "glUniform2i", PFNGLUNIFORM2IPROC)                                                  \
  F(genVertexArrays, "glGenVertexArrays", PFNGLGENVERTEXARRAYSPROC)                                \
  F(deleteVertexArrays, "glDeleteVertexArrays", PFNGLDELETEVERTEXARRAYSPROC)                       \
  F(bindVertexArray, "glBindVertexArray", PFNGLBINDVERTEXARRAYPROC)                                \
  F(drawArrays, "glDrawArrays", PFNGLDRAWARRAYSPROC)                                               \
  F(viewport, "glViewport", PFNGLVIEWPORTPROC)                                                     \
  F(enable, "glEnable", PFNGLENABLEPROC)                                                           \
  F(readBuffer, "glReadBuffer", PFNGLREADBUFFERPROC)                                               \
  F(readPixels, "glReadPixels", PFNGLREADPIXELSPROC)                                               \
  F(drawBuffers, "glDrawBuffers", PFNGLDRAWBUFFERSPROC)                                            \
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

  /// glEGLImageTargetTexture2DOES; null where OpenGL makes no textures of EGLImages.
  void (*eglImageTargetTexture2D)(GLenum target, void* image) = nullptr;
  /// glEGLImageTargetTexStorageEXT, or null.
  void (*eglImageTargetTexStorage)(GLenum target, void* image, const GLint* attributes) = nullptr;

  using GetAddress = void* (*)(const char* symbol);
  /// The functions that `getAddress` finds; the name of one that it does not in `missing`.
  static Functions load(GetAddress getAddress, const char*& missing);

  /// Forgets errors of earlier calls.
  void clearErrors() const;
};

} // namespace quern::opengl
