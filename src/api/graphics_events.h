#pragma once

#include <CL/cl_gl.h>

#include "base/ref.h"
#include "base/result.h"
#include "runtime/event.h"

/// Events that are linked to sync objects of a graphics library.
namespace quern::api {

/// clCreateEventFromGLsyncKHR
Result<Ref<runtime::Event>> createEventFromGLsync(cl_context context, cl_GLsync sync);
/// clCreateEventFromEGLSyncKHR
Result<Ref<runtime::Event>> createEventFromEglSync(cl_context context, void* sync, void* display);

} // namespace quern::api
