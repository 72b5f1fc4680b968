#pragma once

#include "api/buffer_commands.h"
#include "runtime/graphics_object.h"

/// Commands that hand objects of a graphics library to OpenCL and back.
namespace quern::api {

/// clEnqueueAcquireGLObjects and clEnqueueAcquireEGLObjectsKHR. No command, and success, where the
/// list is empty.
Result<Command> enqueueAcquire(runtime::GraphicsObject::Library library, cl_command_queue queue,
                               cl_uint count, const cl_mem* objects, WaitArguments wait);
/// clEnqueueReleaseGLObjects and clEnqueueReleaseEGLObjectsKHR. Blocks until the objects are
/// released where the program's OpenGL context is current on the calling thread, so that what
/// follows there sees them; not where an event of the wait list can only be completed by the
/// program.
Result<Command> enqueueRelease(runtime::GraphicsObject::Library library, cl_command_queue queue,
                               cl_uint count, const cl_mem* objects, WaitArguments wait);

} // namespace quern::api
