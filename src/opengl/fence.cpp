#include "opengl/fence.h"

namespace quern::opengl {

namespace {

constexpr GLuint64 momentNs = 1'000'000;

} // namespace

GLsync insertFence(const ShareGroup& group) {
  const Functions& functions = group.functions();
  if (group.isCurrent())
    if (const GLsync fence = functions.fenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0)) {
      functions.flush();
      return fence;
    }
  if (currentGlxContext() || currentEglContext())
    functions.finish();
  return nullptr;
}

void waitAndDelete(const Functions& functions, GLsync fence) {
  if (!fence)
    return;
  while (!isSignaled(functions, fence)) {
  }
  functions.deleteSync(fence);
}

bool isSignaled(const Functions& functions, GLsync sync) {
  return functions.clientWaitSync(sync, 0, momentNs) != GL_TIMEOUT_EXPIRED;
}

bool isSignaled(void* display, void* sync) {
  return isEglSignaled(display, sync, momentNs);
}

} // namespace quern::opengl
