#pragma once

#include <memory>
#include <vector>

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

/// The side of the tests that draws.
namespace quern::test {

/// A program's OpenGL context, current on the thread that makes it.
class OpenGlProgram {
public:
  virtual ~OpenGlProgram() = default;
  virtual void makeCurrent() = 0;
  virtual void makeNoneCurrent() = 0;
  /// What names the context for OpenCL: names, each with its value, without the 0 at the end.
  virtual std::vector<intptr_t> properties() const = 0;
};

/// On an X server that runs until the process ends. Throws std::runtime_error.
std::unique_ptr<OpenGlProgram> makeGlxProgram();
/// Of OpenGL or, with `es`, of OpenGL ES 3. Needs no window system. Throws std::runtime_error.
std::unique_ptr<OpenGlProgram> makeEglProgram(bool es = false);

} // namespace quern::test
