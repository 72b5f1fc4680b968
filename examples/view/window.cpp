// A canvas in a window of the library GLFW.
#include "mesh_view.h"

#include <stdexcept>

#ifdef GALLERY_GLFW

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

// Those of GLFW/glfw3native.h that are needed here, without the headers of X that it includes.
extern "C" void* glfwGetX11Display();
extern "C" void* glfwGetGLXContext(GLFWwindow* window);

namespace gallery {

namespace {

class Window final : public Canvas {
public:
  Window(const std::string& title, int size) : size_(size) {
    if (!glfwInit())
      throw std::runtime_error("no window system");
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_RESIZABLE, GLFW_FALSE);
    window_ = glfwCreateWindow(size, size, title.c_str(), nullptr, nullptr);
    if (!window_) {
      glfwTerminate();
      throw std::runtime_error("no window with OpenGL 3.2");
    }
    glfwSetWindowUserPointer(window_, this);
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* window, int, int action, int) {
      if (action == GLFW_PRESS)
        static_cast<Window*>(glfwGetWindowUserPointer(window))->noteClick();
    });
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(1);
  }
  ~Window() override {
    glfwDestroyWindow(window_);
    glfwTerminate();
  }

  std::vector<cl_context_properties> properties() const override {
    return {CL_GL_CONTEXT_KHR, reinterpret_cast<cl_context_properties>(glfwGetGLXContext(window_)),
            CL_GLX_DISPLAY_KHR, reinterpret_cast<cl_context_properties>(glfwGetX11Display())};
  }
  void* function(const char* name) const override {
    return reinterpret_cast<void*>(glfwGetProcAddress(name));
  }
  void show() override {
    glfwSwapBuffers(window_);
    glfwPollEvents();
  }
  bool isClosed() const override {
    return glfwWindowShouldClose(window_) || glfwGetKey(window_, GLFW_KEY_ESCAPE) == GLFW_PRESS;
  }
  std::optional<std::array<float, 2>> click() override { return std::exchange(click_, {}); }

private:
  void noteClick() {
    double x = 0, y = 0;
    glfwGetCursorPos(window_, &x, &y);
    click_ = {static_cast<float>(2 * x / size_ - 1), static_cast<float>(1 - 2 * y / size_)};
  }

  const int size_;
  GLFWwindow* window_ = nullptr;
  std::optional<std::array<float, 2>> click_;
};

} // namespace

std::unique_ptr<Canvas> makeWindow(const std::string& title, int size) {
  return std::make_unique<Window>(title, size);
}

} // namespace gallery

#else

std::unique_ptr<gallery::Canvas> gallery::makeWindow(const std::string&, int) {
  throw std::runtime_error("built without GLFW");
}

#endif
