#pragma once

#include <memory>

#include "api/program_fixture.h"
#include "opengl/opengl_program.h"

#include <CL/cl_egl.h>
#include <CL/cl_gl.h>

namespace quern::test {

enum class WindowSystem { Glx, Egl };

/// A program's OpenGL context, which is current, and an OpenCL context and queue that share its
/// objects.
class SharingTest : public ProgramTest {
protected:
  void SetUp() override;
  void TearDown() override;
  /// Which one, for tests that are run with several.
  virtual WindowSystem windowSystem() const { return WindowSystem::Egl; }

  /// The properties of the shared context, with the 0 at the end.
  std::vector<cl_context_properties> properties() const;

  void acquire(cl_mem memory) const {
    EXPECT_EQ(CL_SUCCESS, clEnqueueAcquireGLObjects(queue.get(), 1, &memory, 0, nullptr, nullptr));
  }
  void release(cl_mem memory) const {
    EXPECT_EQ(CL_SUCCESS, clEnqueueReleaseGLObjects(queue.get(), 1, &memory, 0, nullptr, nullptr));
  }

  std::unique_ptr<OpenGlProgram> gl;
  Context plain; ///< shares nothing
  cl_int code = 0;
};

} // namespace quern::test
