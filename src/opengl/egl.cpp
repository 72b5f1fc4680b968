#include <array>
#include <string_view>

#include <CL/cl_gl.h>
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "opengl/libraries.h"
#include "opengl/window_system.h"

namespace quern::opengl {

namespace {

constexpr const char* eglLibraries[] = {"libEGL.so.1"};

struct Egl {
  PFNEGLQUERYSTRINGPROC queryString;
  PFNEGLQUERYCONTEXTPROC queryContext;
  PFNEGLBINDAPIPROC bindApi;
  PFNEGLCHOOSECONFIGPROC chooseConfig;
  PFNEGLCREATECONTEXTPROC createContext;
  PFNEGLDESTROYCONTEXTPROC destroyContext;
  PFNEGLCREATEPBUFFERSURFACEPROC createPbufferSurface;
  PFNEGLDESTROYSURFACEPROC destroySurface;
  PFNEGLMAKECURRENTPROC makeCurrent;
  PFNEGLRELEASETHREADPROC releaseThread;
  PFNEGLGETCURRENTCONTEXTPROC getCurrentContext;
  PFNEGLGETPROCADDRESSPROC getProcAddress;
  // Of EGL 1.5 or an extension; null where neither is there.
  PFNEGLGETSYNCATTRIBKHRPROC getSyncAttrib;
  PFNEGLCLIENTWAITSYNCKHRPROC clientWaitSync;

  bool isLoaded = false;
};

Egl findEgl() {
  Egl egl = {};
  egl.isLoaded = true;
  const auto find = [&egl](auto& function, const char* symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        findLoaded(symbol, eglLibraries));
    egl.isLoaded = egl.isLoaded && function;
  };
  find(egl.queryString, "eglQueryString");
  find(egl.queryContext, "eglQueryContext");
  find(egl.bindApi, "eglBindAPI");
  find(egl.chooseConfig, "eglChooseConfig");
  find(egl.createContext, "eglCreateContext");
  find(egl.destroyContext, "eglDestroyContext");
  find(egl.createPbufferSurface, "eglCreatePbufferSurface");
  find(egl.destroySurface, "eglDestroySurface");
  find(egl.makeCurrent, "eglMakeCurrent");
  find(egl.releaseThread, "eglReleaseThread");
  find(egl.getCurrentContext, "eglGetCurrentContext");
  find(egl.getProcAddress, "eglGetProcAddress");
  if (egl.isLoaded) {
    egl.getSyncAttrib =
        reinterpret_cast<PFNEGLGETSYNCATTRIBKHRPROC>(egl.getProcAddress("eglGetSyncAttribKHR"));
    egl.clientWaitSync =
        reinterpret_cast<PFNEGLCLIENTWAITSYNCKHRPROC>(egl.getProcAddress("eglClientWaitSyncKHR"));
  }
  return egl;
}

const Egl& egl() {
  return foundOnce<Egl, findEgl>();
}

class EglSharedContext final : public SharedContext {
public:
  EglSharedContext(EGLDisplay display, EGLContext context, EGLSurface surface)
      : display_(display), context_(context), surface_(surface) {}
  ~EglSharedContext() override {
    egl().makeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (surface_ != EGL_NO_SURFACE)
      egl().destroySurface(display_, surface_);
    egl().destroyContext(display_, context_);
    egl().releaseThread();
  }
  Functions::GetAddress getAddress() const override {
    return [](const char* symbol) { return reinterpret_cast<void*>(egl().getProcAddress(symbol)); };
  }

private:
  const EGLDisplay display_;
  const EGLContext context_;
  const EGLSurface surface_;
};

bool hasExtension(EGLDisplay display, std::string_view name) {
  const char* const all = egl().queryString(display, EGL_EXTENSIONS);
  return all && std::string_view(all).find(name) != std::string_view::npos;
}

/// A configuration for drawing off screen; EGL_NO_CONFIG_KHR where contexts need none, and surfaces
/// neither.
EGLConfig offScreenConfig(EGLDisplay display) {
  if (hasExtension(display, "EGL_KHR_no_config_context") &&
      hasExtension(display, "EGL_KHR_surfaceless_context"))
    return EGL_NO_CONFIG_KHR;
  const std::array<EGLint, 5> attributes = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                            EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = EGL_NO_CONFIG_KHR;
  EGLint count = 0;
  egl().chooseConfig(display, attributes.data(), &config, 1, &count);
  return config;
}

} // namespace

Result<std::unique_ptr<SharedContext>> makeEglContext(const ProgramContext& program) {
  if (!egl().isLoaded)
    return Status::error(CL_INVALID_OPERATION, "the program has not loaded EGL");
  EGLint type = 0;
  if (program.context &&
      !egl().queryContext(program.display, program.context, EGL_CONTEXT_CLIENT_TYPE, &type))
    return cannotShare("CL_GL_CONTEXT_KHR is not an EGL context of CL_EGL_DISPLAY_KHR");
  if (!egl().bindApi(EGL_OPENGL_API))
    return cannotShare("EGL has no OpenGL, but only OpenGL ES");
  const EGLConfig config = offScreenConfig(program.display);
  const EGLContext context = egl().createContext(program.display, config, program.context, nullptr);
  if (context == EGL_NO_CONTEXT)
    return cannotShare("EGL makes no context that shares objects with the program's");
  EGLSurface surface = EGL_NO_SURFACE;
  if (config != EGL_NO_CONFIG_KHR) {
    const std::array<EGLint, 5> size = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    surface = egl().createPbufferSurface(program.display, config, size.data());
  }
  auto shared = std::make_unique<EglSharedContext>(program.display, context, surface);
  if (!egl().makeCurrent(program.display, surface, surface, context))
    return cannotShare("EGL does not make a context current on a thread of the driver");
  return std::unique_ptr<SharedContext>(std::move(shared));
}

bool isEglDisplay(void* display) {
  return egl().isLoaded && egl().queryString(display, EGL_VERSION) != nullptr;
}

bool isEglFence(void* display, void* sync) {
  EGLint type = 0;
  return egl().isLoaded && egl().getSyncAttrib && egl().clientWaitSync &&
         egl().getSyncAttrib(display, sync, EGL_SYNC_TYPE_KHR, &type) && type == EGL_SYNC_FENCE_KHR;
}

bool isEglSignaled(void* display, void* sync, uint64_t timeoutNs) {
  return egl().clientWaitSync(display, sync, 0, timeoutNs) != EGL_TIMEOUT_EXPIRED_KHR;
}

void* currentEglContext() {
  return egl().isLoaded ? egl().getCurrentContext() : nullptr;
}

} // namespace quern::opengl
