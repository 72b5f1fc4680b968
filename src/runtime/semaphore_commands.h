#pragma once

#include <vector>

#include "runtime/command_queue.h"
#include "runtime/semaphore.h"

namespace quern::runtime {

/// Enqueues a command that signals `semaphores`, or one that waits for all of them. A wait whose
/// signal has failed, or can never come because the semaphore is gone, fails, too; what other
/// processes signal cannot fail. A wait for a semaphore that the device has imported blocks until
/// it has ended (cl_khr_semaphore, clEnqueueWaitSemaphoresKHR).
Ref<Event> enqueueSignal(CommandQueue& queue, const std::vector<Semaphore*>& semaphores,
                         const WaitList& waitList);
Ref<Event> enqueueWait(CommandQueue& queue, const std::vector<Semaphore*>& semaphores,
                       const WaitList& waitList);

} // namespace quern::runtime
