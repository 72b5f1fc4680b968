#pragma once

#include <cstdint>
#include <memory>

#include <CL/cl_gl.h>

#include "base/result.h"
#include "opengl/functions.h"

namespace quern::opengl {

/// An OpenGL context of the program, by the handles of the window system that made it.
struct ProgramContext {
  enum class Api : uint8_t { Glx, Egl } api = Api::Glx;
  void* display = nullptr; ///< Display* or EGLDisplay
  /// GLXContext or EGLContext; may be null with EGL, for what belongs to a display alone.
  void* context = nullptr;
};

/// A context of ours that shares the objects of a program's context. Made, used and destroyed on
/// one thread, where it is current.
class SharedContext {
public:
  virtual ~SharedContext() = default;
  virtual Functions::GetAddress getAddress() const = 0;
};

/// The error where nothing can be shared with the program's context, for the reason `why`.
inline Status cannotShare(const char* why) {
  return Status::error(CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, why);
}

/// Makes a shared context and makes it current on the calling thread. CL_INVALID_OPERATION where
/// the window system's library is not loaded; CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR where the
/// handles are not valid or nothing can be shared with the context.
Result<std::unique_ptr<SharedContext>> makeGlxContext(const ProgramContext& program);
Result<std::unique_ptr<SharedContext>> makeEglContext(const ProgramContext& program);

/// Has `function` called with the display of `program` when the program closes it, as long as that
/// can be used, once or several times. Nothing where the display is EGL's, which knows when it is
/// in use.
void callBeforeClose(const ProgramContext& program, void (*function)(void* display));

/// Whether `sync` is a fence of EGL made with respect to `display`.
bool isEglFence(void* display, void* sync);
/// Whether it is signaled, or has been destroyed. Waits for up to `timeoutNs` where it is not.
bool isEglSignaled(void* display, void* sync, uint64_t timeoutNs);

/// Whether EGL knows `display`.
bool isEglDisplay(void* display);

/// What is current on the calling thread; null where nothing is.
void* currentGlxContext();
void* currentEglContext();

} // namespace quern::opengl
