#pragma once

#include <CL/cl.h>

#include "base/ref.h"
#include "base/result.h"
#include "runtime/command_queue.h"

/// Commands that read, write, copy, fill and map a range of a buffer. Those with `blocking` return
/// when the command has ended, and CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST when it did not
/// complete.
namespace quern::api {

/// The last arguments of every enqueue function.
struct WaitArguments {
  cl_uint count = 0;
  const cl_event* events = nullptr;
  /// The program wants the command's event. Where it does not, there may be none: the command that
  /// is returned may be null.
  bool wantsEvent = true;

  /// Neither events before the command nor one for it.
  bool hasNoEvents() const { return count == 0 && !events && !wantsEvent; }
};

using Command = Ref<runtime::Event>;

/// Enqueues `command`, or returns why it could not be recorded. Where the program wants no event
/// for it and names none before it, it has none.
Result<Command> enqueue(runtime::CommandQueue& queue, Result<runtime::Recorded> command,
                        WaitArguments wait);

/// Waits for `command` where the program asked for that.
Result<Command> finishIfBlocking(Command command, cl_bool blocking);

inline constexpr cl_map_flags mapWritingFlags = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

/// CL_INVALID_VALUE for flags that mean nothing, and for CL_MAP_WRITE_INVALIDATE_REGION together
/// with another one.
Status checkMapFlags(cl_map_flags flags);

Result<Command> enqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                  size_t offset, size_t bytes, void* destination,
                                  WaitArguments wait);
Result<Command> enqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                   size_t offset, size_t bytes, const void* source,
                                   WaitArguments wait);
/// Records a command for the device of `queue`, for that or for a command buffer.
Result<runtime::Recorded> recordCopyBuffer(runtime::CommandQueue& queue, cl_mem source,
                                           cl_mem destination, size_t sourceOffset,
                                           size_t destinationOffset, size_t bytes);
Result<Command> enqueueCopyBuffer(cl_command_queue queue, cl_mem source, cl_mem destination,
                                  size_t sourceOffset, size_t destinationOffset, size_t bytes,
                                  WaitArguments wait);
/// Likewise.
Result<runtime::Recorded> recordFillBuffer(runtime::CommandQueue& queue, cl_mem buffer,
                                           const void* pattern, size_t patternBytes, size_t offset,
                                           size_t bytes);
Result<Command> enqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void* pattern,
                                  size_t patternBytes, size_t offset, size_t bytes,
                                  WaitArguments wait);

struct MappedCommand {
  Command command;
  void* pointer = nullptr;
};
Result<MappedCommand> enqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                       cl_map_flags flags, size_t offset, size_t bytes,
                                       WaitArguments wait);
Result<Command> enqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void* pointer,
                                      WaitArguments wait);

} // namespace quern::api
