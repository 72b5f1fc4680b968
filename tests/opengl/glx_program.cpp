#include <array>
#include <dlfcn.h>
#include <link.h>
#include <stdexcept>

#include <GL/glx.h>

#include "opengl/opengl_program.h"
#include "opengl/x_server.h"

namespace quern::test {

namespace {

// The values of CL/cl_gl.h, whose cl_platform.h does not go with the headers of X.
constexpr intptr_t glContext = 0x2008, glxDisplay = 0x200A;

/// Keeps the libraries that OpenGL has loaded until the process ends. libGLX unloads them before,
/// and what their variables point to would then count as leaked.
void keepLibraries() {
  dl_iterate_phdr(
      [](dl_phdr_info* library, size_t, void*) {
        if (*library->dlpi_name)
          dlopen(library->dlpi_name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
        return 0;
      },
      nullptr);
}

class GlxProgram final : public OpenGlProgram {
public:
  GlxProgram() {
    startXServer();
    display_ = XOpenDisplay(nullptr);
    if (!display_)
      throw std::runtime_error("no X display");
    std::array<int, 5> attributes = {GLX_RGBA, GLX_DOUBLEBUFFER, GLX_DEPTH_SIZE, 16, None};
    XVisualInfo* const visual = glXChooseVisual(display_, 0, attributes.data());
    if (!visual)
      throw std::runtime_error("no GLX visual");
    const Window root = RootWindow(display_, visual->screen);
    XSetWindowAttributes window = {};
    window.colormap = XCreateColormap(display_, root, visual->visual, AllocNone);
    window_ = XCreateWindow(display_, root, 0, 0, 64, 64, 0, visual->depth, InputOutput,
                            visual->visual, CWColormap, &window);
    context_ = glXCreateContext(display_, visual, nullptr, True);
    XFree(visual);
    makeCurrent();
    keepLibraries();
  }
  ~GlxProgram() override {
    makeNoneCurrent();
    glXDestroyContext(display_, context_);
    XDestroyWindow(display_, window_);
    XCloseDisplay(display_);
  }
  void makeCurrent() override { glXMakeCurrent(display_, window_, context_); }
  void makeNoneCurrent() override { glXMakeCurrent(display_, None, nullptr); }
  std::vector<intptr_t> properties() const override {
    return {glContext, reinterpret_cast<intptr_t>(context_), glxDisplay,
            reinterpret_cast<intptr_t>(display_)};
  }

private:
  Display* display_ = nullptr;
  Window window_ = None;
  GLXContext context_ = nullptr;
};

} // namespace

std::unique_ptr<OpenGlProgram> makeGlxProgram() {
  return std::make_unique<GlxProgram>();
}

} // namespace quern::test
