#pragma once

#include "api/buffer_commands.h"

/// Commands that read, write, copy, fill and map a box of an image's elements. Those with
/// `blocking` return as the commands on buffers do.
namespace quern::api {

/// The host's side of a transfer: pitches in bytes, 0 for none.
struct HostSide {
  size_t rowPitch = 0;
  size_t slicePitch = 0;
  std::byte* data = nullptr;
};

Result<Command> enqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                 const size_t* origin, const size_t* region, HostSide host,
                                 WaitArguments wait);
/// `host.data` is only read.
Result<Command> enqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                  const size_t* origin, const size_t* region, HostSide host,
                                  WaitArguments wait);
Result<Command> enqueueCopyImage(cl_command_queue queue, cl_mem source, cl_mem destination,
                                 const size_t* sourceOrigin, const size_t* destinationOrigin,
                                 const size_t* region, WaitArguments wait);
Result<Command> enqueueFillImage(cl_command_queue queue, cl_mem image, const void* color,
                                 const size_t* origin, const size_t* region, WaitArguments wait);
Result<Command> enqueueCopyImageToBuffer(cl_command_queue queue, cl_mem image, cl_mem buffer,
                                         const size_t* origin, const size_t* region, size_t offset,
                                         WaitArguments wait);
Result<Command> enqueueCopyBufferToImage(cl_command_queue queue, cl_mem buffer, cl_mem image,
                                         size_t offset, const size_t* origin, const size_t* region,
                                         WaitArguments wait);

/// Record a command for the device of `queue`, for that or for a command buffer.
Result<runtime::Recorded> recordCopyImage(runtime::CommandQueue& queue, cl_mem source,
                                          cl_mem destination, const size_t* sourceOrigin,
                                          const size_t* destinationOrigin, const size_t* region);
Result<runtime::Recorded> recordFillImage(runtime::CommandQueue& queue, cl_mem image,
                                          const void* color, const size_t* origin,
                                          const size_t* region);
Result<runtime::Recorded> recordCopyImageToBuffer(runtime::CommandQueue& queue, cl_mem image,
                                                  cl_mem buffer, const size_t* origin,
                                                  const size_t* region, size_t offset);
Result<runtime::Recorded> recordCopyBufferToImage(runtime::CommandQueue& queue, cl_mem buffer,
                                                  cl_mem image, size_t offset, const size_t* origin,
                                                  const size_t* region);

/// Pitches of the mapped elements are written to `rowPitch` and `slicePitch` on success; the second
/// may be NULL for images without slices.
Result<MappedCommand> enqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                      cl_map_flags flags, const size_t* origin,
                                      const size_t* region, size_t* rowPitch, size_t* slicePitch,
                                      WaitArguments wait);

} // namespace quern::api
