#pragma once

#include "api/buffer_commands.h"

namespace quern::api {

/// One side of a rect command: an origin and pitches, as the program gave them.
struct RectSide {
  const size_t* origin = nullptr;
  size_t rowPitch = 0;
  size_t slicePitch = 0;
};

Result<Command> enqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                      RectSide bufferSide, RectSide hostSide, const size_t* region,
                                      void* destination, WaitArguments wait);
Result<Command> enqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                       RectSide bufferSide, RectSide hostSide, const size_t* region,
                                       const void* source, WaitArguments wait);
/// Records a command for the device of `queue`, for that or for a command buffer.
Result<runtime::Recorded> recordCopyBufferRect(runtime::CommandQueue& queue, cl_mem source,
                                               cl_mem destination, RectSide sourceSide,
                                               RectSide destinationSide, const size_t* region);
Result<Command> enqueueCopyBufferRect(cl_command_queue queue, cl_mem source, cl_mem destination,
                                      RectSide sourceSide, RectSide destinationSide,
                                      const size_t* region, WaitArguments wait);

} // namespace quern::api
