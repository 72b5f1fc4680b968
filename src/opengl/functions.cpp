#include "opengl/functions.h"

namespace quern::opengl {

Functions Functions::load(GetAddress getAddress, const char*& missing) {
  Functions functions;
#define QUERN_OPENGL_FIND(name, symbol, type)                                                      \
  functions.name = reinterpret_cast<type>(getAddress(symbol));                                     \
  if (!functions.name)                                                                             \
    missing = symbol;
  QUERN_OPENGL_FUNCTIONS(QUERN_OPENGL_FIND)
#undef QUERN_OPENGL_FIND
  functions.eglImageTargetTexture2D = reinterpret_cast<decltype(eglImageTargetTexture2D)>(
      getAddress("glEGLImageTargetTexture2DOES"));
  functions.eglImageTargetTexStorage = reinterpret_cast<decltype(eglImageTargetTexStorage)>(
      getAddress("glEGLImageTargetTexStorageEXT"));
  return functions;
}

void Functions::clearErrors() const {
  // Bounded, because without a current context there is no end of errors.
  for (int i = 0; i < 16 && getError() != GL_NO_ERROR; ++i) {
  }
}

} // namespace quern::opengl
