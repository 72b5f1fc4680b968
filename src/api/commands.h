#pragma once

#include "api/buffer_commands.h"

/// Commands that are not about the contents of one buffer.
namespace quern::api {

Result<Command> enqueueMarker(cl_command_queue queue, WaitArguments wait);
Result<Command> enqueueBarrier(cl_command_queue queue, WaitArguments wait);
/// The deprecated clEnqueueWaitForEvents: commands that follow wait for `wait`.
Status enqueueWaitForEvents(cl_command_queue queue, WaitArguments wait);
/// The deprecated clEnqueueMarker, whose event is required.
Result<Command> enqueueMarkerWithEvent(cl_command_queue queue, const cl_event* event);
Result<Command> enqueueMigrateMemObjects(cl_command_queue queue, cl_uint count,
                                         const cl_mem* objects, cl_mem_migration_flags flags,
                                         WaitArguments wait);

/// The arguments of clEnqueueNativeKernel.
struct NativeKernel {
  void(CL_CALLBACK* function)(void*) = nullptr;
  const void* arguments = nullptr;
  size_t argumentBytes = 0;
  cl_uint bufferCount = 0;
  const cl_mem* buffers = nullptr;
  /// Where in `arguments` the handle of each buffer is.
  const void** locations = nullptr;
};
Result<Command> enqueueNativeKernel(cl_command_queue queue, const NativeKernel& kernel,
                                    WaitArguments wait);

} // namespace quern::api
