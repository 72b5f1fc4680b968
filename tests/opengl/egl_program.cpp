#include <array>
#include <stdexcept>

#include <CL/cl_gl.h>
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "opengl/opengl_program.h"

namespace quern::test {

namespace {

/// The first device that works: a GPU, or Mesa's software.
EGLDisplay openDevice() {
  const auto queryDevices =
      reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
  std::array<EGLDeviceEXT, 16> devices = {};
  EGLint count = 0;
  if (queryDevices)
    queryDevices(16, devices.data(), &count);
  for (EGLint i = 0; i < count; ++i) {
    const EGLDisplay display =
        eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[static_cast<size_t>(i)], nullptr);
    if (eglInitialize(display, nullptr, nullptr))
      return display;
  }
  throw std::runtime_error("EGL has no device that draws without a window system");
}

class EglProgram final : public OpenGlProgram {
public:
  explicit EglProgram(bool es) : api_(es ? EGL_OPENGL_ES_API : EGL_OPENGL_API) {
    display_ = openDevice();
    eglBindAPI(api_);
    const std::array<EGLint, 3> attributes = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
    context_ = eglCreateContext(display_, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT,
                                es ? attributes.data() : nullptr);
    if (context_ == EGL_NO_CONTEXT)
      throw std::runtime_error("no EGL context");
    makeCurrent();
  }
  ~EglProgram() override {
    makeNoneCurrent();
    eglDestroyContext(display_, context_);
  }
  void makeCurrent() override {
    eglBindAPI(api_);
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_);
  }
  void makeNoneCurrent() override {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  }
  std::vector<intptr_t> properties() const override {
    return {CL_GL_CONTEXT_KHR, reinterpret_cast<intptr_t>(context_), CL_EGL_DISPLAY_KHR,
            reinterpret_cast<intptr_t>(display_)};
  }

private:
  const EGLenum api_;
  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
};

} // namespace

std::unique_ptr<OpenGlProgram> makeEglProgram(bool es) {
  return std::make_unique<EglProgram>(es);
}

} // namespace quern::test
