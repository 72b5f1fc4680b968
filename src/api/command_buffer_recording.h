#pragma once

#include <optional>

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "api/kernel_commands.h"
#include "base/result.h"
#include "runtime/command_buffer.h"

/// Recording commands into command buffers (cl_khr_command_buffer).
namespace quern::api {

/// The arguments that all functions share which record a command.
struct RecordingArguments {
  cl_command_buffer_khr buffer = nullptr;
  cl_command_queue queue = nullptr;
  const cl_properties* properties = nullptr;
  cl_uint waitCount = 0;
  const cl_sync_point_khr* waits = nullptr;
  cl_sync_point_khr* syncPoint = nullptr;   ///< written on success
  cl_mutable_command_khr* handle = nullptr; ///< likewise
};

/// The command buffer and the queue that a command is recorded for.
struct Recording {
  runtime::CommandBuffer* buffer = nullptr;
  uint32_t queueIndex = 0;
  std::vector<uint32_t> after; ///< the commands of the wait list

  runtime::CommandQueue& queue() const { return *buffer->queues()[queueIndex]; }
};

/// The errors that all of them share.
Result<Recording> parseRecording(const RecordingArguments& arguments);
/// Adds a command that has no properties and no handle, unless it could not be recorded.
Status addCommand(const Recording& recording, const RecordingArguments& arguments,
                  Result<runtime::Recorded> command);

/// Records what `record(queue)` returns, a Result<Recorded> for the device of a queue.
template <typename Record>
Status recordCommand(const RecordingArguments& arguments, Record&& record) {
  QUERN_ASSIGN(const Recording recording, parseRecording(arguments));
  return addCommand(recording, arguments, record(recording.queue()));
}

Status recordBarrier(const RecordingArguments& arguments);
Status recordLaunch(const RecordingArguments& arguments, cl_kernel kernel,
                    const RangeArguments& range);

/// What a launch in a command buffer is given again, from what it was given.
RangeArguments argumentsOf(const runtime::GivenRange& range);

} // namespace quern::api
