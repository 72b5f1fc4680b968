#pragma once

#include "api/buffer_commands.h"

/// Commands that signal semaphores or wait for them.
namespace quern::api {

/// The semaphores that a command is for. There are no payloads: binary semaphores have none.
struct SemaphoreArguments {
  cl_uint count = 0;
  const cl_semaphore_khr* semaphores = nullptr;
};

Result<Command> enqueueSignalSemaphores(cl_command_queue queue, SemaphoreArguments semaphores,
                                        WaitArguments wait);
Result<Command> enqueueWaitSemaphores(cl_command_queue queue, SemaphoreArguments semaphores,
                                      WaitArguments wait);

} // namespace quern::api
