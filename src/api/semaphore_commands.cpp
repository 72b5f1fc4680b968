#include "api/semaphore_commands.h"

#include "api/handle.h"
#include "api/wait_list.h"
#include "runtime/semaphore_commands.h"

namespace quern::api {

namespace {

using runtime::CommandQueue;
using runtime::Event;
using runtime::Semaphore;
using runtime::WaitList;
using EnqueueSemaphores = Ref<Event> (&)(CommandQueue&, const std::vector<Semaphore*>&,
                                         const WaitList&);

Status checkSemaphore(const CommandQueue& queue, const Semaphore& semaphore) {
  // The queue's device is not one that the semaphore is for.
  if (!semaphore.isFor(queue.device()))
    return Status::error(CL_INVALID_COMMAND_QUEUE,
                         "a semaphore is not for the device of the command-queue");
  // The semaphore and the queue are of different contexts.
  if (&semaphore.context() != &queue.context())
    return Status::error(CL_INVALID_CONTEXT,
                         "a semaphore belongs to another context than the command-queue");
  return {};
}

/// What both commands take and check.
Result<Command> enqueue(EnqueueSemaphores enqueueCommand, cl_command_queue queueHandle,
                        SemaphoreArguments arguments, WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  // num_sema_objects is 0, so that there is no list.
  if (arguments.count == 0 || !arguments.semaphores)
    return Status::error(CL_INVALID_VALUE, "the list of semaphores is empty");
  QUERN_ASSIGN(const std::vector<Semaphore*> semaphores,
               fromHandles<Semaphore>(arguments.count, arguments.semaphores));
  for (const Semaphore* semaphore : semaphores)
    QUERN_TRY(checkSemaphore(*queue, *semaphore));
  QUERN_ASSIGN(const WaitList waitList, parseWaitList(queue->context(), wait.count, wait.events));
  QUERN_TRY(checkNoneFailed(waitList));
  return enqueueCommand(*queue, semaphores, waitList);
}

} // namespace

Result<Command> enqueueSignalSemaphores(cl_command_queue queue, SemaphoreArguments semaphores,
                                        WaitArguments wait) {
  return enqueue(runtime::enqueueSignal, queue, semaphores, wait);
}

Result<Command> enqueueWaitSemaphores(cl_command_queue queue, SemaphoreArguments semaphores,
                                      WaitArguments wait) {
  return enqueue(runtime::enqueueWait, queue, semaphores, wait);
}

} // namespace quern::api
