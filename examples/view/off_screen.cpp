// A canvas without a window system: a context of EGL on any device that it finds, which draws into
// a renderbuffer.
#include "mesh_view.h"

#include <stdexcept>

#ifdef GALLERY_EGL

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>

namespace gallery {

namespace {

/// The displays that need no window system: of each device, then whatever EGL offers.
std::vector<EGLDisplay> displays() {
  std::vector<EGLDisplay> list;
  const auto queryDevices =
      reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
  const auto displayOf = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
      eglGetProcAddress("eglGetPlatformDisplayEXT"));
  EGLDeviceEXT devices[16] = {};
  EGLint count = 0;
  if (queryDevices && displayOf && queryDevices(16, devices, &count))
    for (EGLint i = 0; i < count; ++i)
      list.push_back(displayOf(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
  list.push_back(eglGetDisplay(EGL_DEFAULT_DISPLAY));
  return list;
}

class OffScreenCanvas final : public Canvas {
public:
  explicit OffScreenCanvas(int size) {
    for (EGLDisplay display : displays())
      if (open(display)) {
        makeFramebuffer(size);
        return;
      }
    throw std::runtime_error("no OpenGL 3.2 that draws without a window system (EGL)");
  }
  ~OffScreenCanvas() override {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
    eglTerminate(display_);
  }

  std::vector<cl_context_properties> properties() const override {
    return {CL_GL_CONTEXT_KHR, reinterpret_cast<cl_context_properties>(context_),
            CL_EGL_DISPLAY_KHR, reinterpret_cast<cl_context_properties>(display_)};
  }
  void* function(const char* name) const override {
    return reinterpret_cast<void*>(eglGetProcAddress(name));
  }
  void show() override {}
  bool isClosed() const override { return false; }
  std::optional<std::array<float, 2>> click() override { return std::nullopt; }

private:
  bool open(EGLDisplay display) {
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr) ||
        !eglBindAPI(EGL_OPENGL_API))
      return false;
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 2, EGL_NONE};
    context_ = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
    if (context_ != EGL_NO_CONTEXT &&
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context_)) {
      display_ = display;
      return true;
    }
    eglTerminate(display);
    return false;
  }

  void makeFramebuffer(int size) {
#define GALLERY_CALL(name, type, ...) reinterpret_cast<type>(function(name))(__VA_ARGS__)
    GLuint framebuffer = 0, renderbuffer = 0;
    GALLERY_CALL("glGenFramebuffers", PFNGLGENFRAMEBUFFERSPROC, 1, &framebuffer);
    GALLERY_CALL("glBindFramebuffer", PFNGLBINDFRAMEBUFFERPROC, GL_FRAMEBUFFER, framebuffer);
    GALLERY_CALL("glGenRenderbuffers", PFNGLGENRENDERBUFFERSPROC, 1, &renderbuffer);
    GALLERY_CALL("glBindRenderbuffer", PFNGLBINDRENDERBUFFERPROC, GL_RENDERBUFFER, renderbuffer);
    GALLERY_CALL("glRenderbufferStorage", PFNGLRENDERBUFFERSTORAGEPROC, GL_RENDERBUFFER, GL_RGBA8,
                 size, size);
    GALLERY_CALL("glFramebufferRenderbuffer", PFNGLFRAMEBUFFERRENDERBUFFERPROC, GL_FRAMEBUFFER,
                 GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
    GALLERY_CALL("glViewport", PFNGLVIEWPORTPROC, 0, 0, size, size);
#undef GALLERY_CALL
  }

  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
};

} // namespace

std::unique_ptr<Canvas> makeOffScreenCanvas(int size) {
  return std::make_unique<OffScreenCanvas>(size);
}

} // namespace gallery

#else

std::unique_ptr<gallery::Canvas> gallery::makeOffScreenCanvas(int) {
  throw std::runtime_error("built without EGL");
}

#endif
