#include "api/graphics_events.h"

#include <CL/cl_egl.h>

#include "api/graphics_context.h"
#include "opengl/fence.h"

namespace quern::api {

namespace {

using runtime::Context;
using runtime::Event;

/// An event that ends when the context's share group finds the sync object signaled.
Ref<Event> link(Context& context, cl_command_type type,
                std::function<bool(const opengl::Functions&)> isSignaled) {
  Ref<Event> event = Event::createLinked(context, type);
  context.shareGroup()->awaitSignal(std::move(isSignaled), [event](const opengl::Functions&) {
    event->setUserStatus(CL_COMPLETE);
  });
  return event;
}

} // namespace

Result<Ref<Event>> createEventFromGLsync(cl_context handle, cl_GLsync sync) {
  QUERN_ASSIGN(Context * context, sharingContext(handle));
  const auto object = reinterpret_cast<GLsync>(sync);
  bool isSync = false;
  context->shareGroup()->call(
      [&](const opengl::Functions& functions) { isSync = functions.isSync(object); });
  // The sync object does not exist.
  if (!isSync)
    return Status::error(CL_INVALID_GL_OBJECT,
                         "sync is not a sync object of the context's share group");
  return link(*context, CL_COMMAND_GL_FENCE_SYNC_OBJECT_KHR,
              [object](const opengl::Functions& functions) {
                return opengl::isSignaled(functions, object);
              });
}

Result<Ref<Event>> createEventFromEglSync(cl_context handle, void* sync, void* display) {
  QUERN_ASSIGN(Context * context, sharingContext(handle));
  // The sync object does not exist, or is no fence.
  if (!opengl::isEglFence(display, sync))
    return Status::error(CL_INVALID_EGL_OBJECT_KHR, "sync is not a fence made for the EGLDisplay");
  return link(*context, CL_COMMAND_EGL_FENCE_SYNC_OBJECT_KHR,
              [=](const opengl::Functions&) { return opengl::isSignaled(display, sync); });
}

} // namespace quern::api
