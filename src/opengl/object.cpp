#include "opengl/object.h"

#include "base/sentence.h"

namespace quern::opengl {

Status checkErrors(const Functions& functions, const char* action) {
  const GLenum error = functions.getError();
  if (error == GL_NO_ERROR)
    return {};
  functions.clearErrors();
  return Status::error(CL_OUT_OF_RESOURCES, sentence(action, ": OpenGL's error is ", error),
                       static_cast<int>(error));
}

} // namespace quern::opengl
