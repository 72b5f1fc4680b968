#pragma once

#include <optional>
#include <span>

#include <CL/cl.h>

#include "api/info.h"
#include "base/result.h"
#include "opengl/window_system.h"
#include "runtime/context.h"

/// Contexts that share memory objects with a graphics library (cl_khr_gl_sharing).
namespace quern::api {

/// Whether `name` is a property that names a context of OpenGL.
bool namesGraphics(cl_context_properties name);

/// The OpenGL context that `properties`, a zero-terminated list or empty, name; nothing where they
/// name none. CL_INVALID_OPERATION, CL_INVALID_PROPERTY or CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR
/// where they contradict each other or leave something out.
Result<std::optional<opengl::ProgramContext>>
parseProgramContext(std::span<const cl_context_properties> properties);

/// The context of `handle`. CL_INVALID_CONTEXT where it was not made from an OpenGL context.
Result<runtime::Context*> sharingContext(cl_context handle);

/// clGetGLContextInfoKHR
Status getGLContextInfo(const cl_context_properties* properties, cl_gl_context_info name,
                        const InfoRequest& request);

} // namespace quern::api
