#include <algorithm>
#include <array>
#include <vector>

#include <CL/cl_gl.h>

#include "base/mutex_protected.h"
#include "opengl/libraries.h"
#include "opengl/window_system.h"

namespace quern::opengl {

namespace {

// GLX 1.4, declared here because the headers of X make macros of names such as Status. Handles of
// X are numbers, and its truth values int.
using Display = void;
using GlxContext = void*;
using GlxConfig = void*;
using GlxDrawable = unsigned long;

constexpr int glxRgbaBit = 0x1, glxPbufferBit = 0x4;
constexpr int glxDrawableType = 0x8010, glxRenderType = 0x8011, glxRgbaType = 0x8014;
constexpr int glxScreen = 0x800C;
constexpr int glxPbufferWidth = 0x8041, glxPbufferHeight = 0x8040;

using ErrorHandler = int (*)(Display*, void* event);

/// Of what extends a display in this process.
struct ExtensionCodes {
  int extension, majorOpcode, firstEvent, firstError;
};
using CloseHandler = int (*)(Display*, ExtensionCodes*);

constexpr const char* glxLibraries[] = {"libGLX.so.0", "libGL.so.1", "libX11.so.6"};

struct Glx {
  int (*queryContext)(Display*, GlxContext, int attribute, int* value);
  int (*isDirect)(Display*, GlxContext);
  GlxConfig* (*chooseFBConfig)(Display*, int screen, const int* attributes, int* count);
  GlxContext (*createNewContext)(Display*, GlxConfig, int renderType, GlxContext share, int direct);
  void (*destroyContext)(Display*, GlxContext);
  GlxDrawable (*createPbuffer)(Display*, GlxConfig, const int* attributes);
  void (*destroyPbuffer)(Display*, GlxDrawable);
  int (*makeContextCurrent)(Display*, GlxDrawable draw, GlxDrawable read, GlxContext);
  GlxContext (*getCurrentContext)();
  void* (*getProcAddress)(const unsigned char* name);
  ErrorHandler (*setErrorHandler)(ErrorHandler);
  int (*sync)(Display*, int discard);
  ExtensionCodes* (*addExtension)(Display*);
  CloseHandler (*setCloseHandler)(Display*, int extension, CloseHandler);
  int (*free)(void*);

  bool isLoaded = false;
};

Glx findGlx() {
  Glx glx = {};
  glx.isLoaded = true;
  const auto find = [&glx](auto& function, const char* symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        findLoaded(symbol, glxLibraries));
    glx.isLoaded = glx.isLoaded && function;
  };
  find(glx.queryContext, "glXQueryContext");
  find(glx.isDirect, "glXIsDirect");
  find(glx.chooseFBConfig, "glXChooseFBConfig");
  find(glx.createNewContext, "glXCreateNewContext");
  find(glx.destroyContext, "glXDestroyContext");
  find(glx.createPbuffer, "glXCreatePbuffer");
  find(glx.destroyPbuffer, "glXDestroyPbuffer");
  find(glx.makeContextCurrent, "glXMakeContextCurrent");
  find(glx.getCurrentContext, "glXGetCurrentContext");
  find(glx.getProcAddress, "glXGetProcAddressARB");
  find(glx.setErrorHandler, "XSetErrorHandler");
  find(glx.sync, "XSync");
  find(glx.addExtension, "XAddExtension");
  find(glx.setCloseHandler, "XESetCloseDisplay");
  find(glx.free, "XFree");
  return glx;
}

const Glx& glx() {
  return foundOnce<Glx, findGlx>();
}

/// While it lives, what the server refuses does not end the process.
class RefusalsIgnored {
public:
  explicit RefusalsIgnored(Display* display)
      : display_(display), previous_(glx().setErrorHandler(+[](Display*, void*) { return 0; })) {}
  ~RefusalsIgnored() {
    glx().sync(display_, 0);
    glx().setErrorHandler(previous_);
  }
  RefusalsIgnored(const RefusalsIgnored&) = delete;
  RefusalsIgnored& operator=(const RefusalsIgnored&) = delete;

private:
  Display* const display_;
  const ErrorHandler previous_;
};

class GlxSharedContext final : public SharedContext {
public:
  GlxSharedContext(Display* display, GlxContext context, GlxDrawable drawable)
      : display_(display), context_(context), drawable_(drawable) {}
  ~GlxSharedContext() override {
    glx().makeContextCurrent(display_, 0, 0, nullptr);
    if (drawable_ != 0)
      glx().destroyPbuffer(display_, drawable_);
    glx().destroyContext(display_, context_);
  }
  Functions::GetAddress getAddress() const override {
    return [](const char* symbol) {
      return glx().getProcAddress(reinterpret_cast<const unsigned char*>(symbol));
    };
  }

private:
  Display* const display_;
  const GlxContext context_;
  const GlxDrawable drawable_;
};

/// A configuration for drawing off screen; null where the screen has none.
GlxConfig offScreenConfig(Display* display, int screen) {
  const std::array<int, 5> attributes = {glxDrawableType, glxPbufferBit, glxRenderType, glxRgbaBit,
                                         0};
  int count = 0;
  GlxConfig* const configs = glx().chooseFBConfig(display, screen, attributes.data(), &count);
  const GlxConfig first = configs && count > 0 ? configs[0] : nullptr;
  if (configs)
    glx().free(configs);
  return first;
}

} // namespace

Result<std::unique_ptr<SharedContext>> makeGlxContext(const ProgramContext& program) {
  if (!glx().isLoaded)
    return Status::error(CL_INVALID_OPERATION, "the program has not loaded GLX");
  const RefusalsIgnored ignored(program.display);
  int screen = 0;
  if (!program.context ||
      glx().queryContext(program.display, program.context, glxScreen, &screen) != 0)
    return cannotShare("CL_GL_CONTEXT_KHR is not a GLX context of CL_GLX_DISPLAY_KHR");
  const GlxConfig config = offScreenConfig(program.display, screen);
  if (!config)
    return cannotShare("the screen has no configuration for drawing off screen");
  const GlxContext context =
      glx().createNewContext(program.display, config, glxRgbaType, program.context,
                             glx().isDirect(program.display, program.context));
  if (!context)
    return cannotShare("GLX makes no context that shares objects with the program's");
  const std::array<int, 5> size = {glxPbufferWidth, 1, glxPbufferHeight, 1, 0};
  const GlxDrawable drawable = glx().createPbuffer(program.display, config, size.data());
  auto shared = std::make_unique<GlxSharedContext>(program.display, context, drawable);
  if (!glx().makeContextCurrent(program.display, drawable, drawable, context))
    return cannotShare("GLX does not make a context current on a thread of the driver");
  return std::unique_ptr<SharedContext>(std::move(shared));
}

void callBeforeClose(const ProgramContext& program, void (*function)(void* display)) {
  struct Handler {
    Display* display;
    void (*function)(void* display);
    bool operator==(const Handler&) const = default;
  };
  using Handlers = MutexProtected<std::vector<Handler>>;
  static Handlers& handlers = *new Handlers();
  if (program.api != ProgramContext::Api::Glx || !glx().isLoaded)
    return;
  const Handler handler = {program.display, function};
  auto known = handlers.lock();
  if (std::ranges::find(*known, handler) != known->end())
    return;
  // Displays tell their extensions, the latest first, and GLX is one.
  const ExtensionCodes* const codes = glx().addExtension(program.display);
  if (!codes)
    return;
  glx().setCloseHandler(program.display, codes->extension, [](Display* display, ExtensionCodes*) {
    std::vector<Handler> called;
    handlers.with([&](std::vector<Handler>& all) {
      const auto rest =
          std::ranges::partition(all, [&](const Handler& each) { return each.display != display; });
      called.assign(rest.begin(), rest.end());
      all.erase(rest.begin(), rest.end());
    });
    for (const Handler& each : called)
      each.function(display);
    return 0;
  });
  known->push_back(handler);
}

void* currentGlxContext() {
  return glx().isLoaded ? glx().getCurrentContext() : nullptr;
}

} // namespace quern::opengl
