#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "api/buffer_commands.h"
#include "api/info.h"
#include "runtime/command_buffer.h"

/// Command buffers (cl_khr_command_buffer and the extensions that build on it): creation, enqueue
/// and queries. What is recorded into them is in api/command_buffer_recording.h.
namespace quern::api {

/// The fields of launches that can change after they were recorded, on every device.
inline constexpr cl_bitfield mutableDispatchFields =
    CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR |
    CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR |
    CL_MUTABLE_DISPATCH_EXEC_INFO_KHR;
/// Properties of queues that command buffers can be enqueued to; none is required.
inline constexpr cl_command_queue_properties commandBufferQueueProperties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

Result<Ref<runtime::CommandBuffer>>
createCommandBuffer(cl_uint queueCount, const cl_command_queue* queues,
                    const cl_command_buffer_properties_khr* properties);
Status finalizeCommandBuffer(cl_command_buffer_khr buffer);
Result<Command> enqueueCommandBuffer(cl_uint queueCount, const cl_command_queue* queues,
                                     cl_command_buffer_khr buffer, WaitArguments wait);

/// The handles of launches in a command buffer, and those of the same launches in a copy of it.
struct RemappedHandles {
  cl_uint count = 0;
  const cl_mutable_command_khr* handles = nullptr;
  cl_mutable_command_khr* remapped = nullptr; ///< written on success
};
/// clRemapCommandBufferKHR.
Result<Ref<runtime::CommandBuffer>> remapCommandBuffer(cl_command_buffer_khr buffer,
                                                       cl_bool automatic, cl_uint queueCount,
                                                       const cl_command_queue* queues,
                                                       const RemappedHandles& handles);

Status getCommandBufferInfo(cl_command_buffer_khr buffer, cl_command_buffer_info_khr name,
                            const InfoRequest& request);
Status getMutableCommandInfo(cl_mutable_command_khr command, cl_mutable_command_info_khr name,
                             const InfoRequest& request);
/// clUpdateMutableCommandsKHR.
Status updateMutableCommands(cl_command_buffer_khr buffer, cl_uint count, const cl_uint* types,
                             const void* const* configs);

} // namespace quern::api
