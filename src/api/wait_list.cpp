#include "api/wait_list.h"

#include "api/handle.h"

namespace quern::api {

Result<runtime::WaitList> parseWaitList(const runtime::Context& context, cl_uint count,
                                        const cl_event* events, LinkedEvents linked) {
  // event_wait_list is NULL and num_events_in_wait_list > 0, or the other way round.
  if ((events == nullptr) != (count == 0))
    return Status::error(CL_INVALID_EVENT_WAIT_LIST,
                         events ? sentence("event_wait_list is given but its count is 0")
                                : sentence("event_wait_list is NULL but its count is ", count));
  if (count == 0)
    return runtime::WaitList();
  QUERN_ASSIGN(runtime::WaitList list,
               fromHandles<runtime::Event>(count, events, CL_INVALID_EVENT_WAIT_LIST));
  for (const runtime::Event* event : list) {
    if (&event->context() != &context)
      return Status::error(CL_INVALID_CONTEXT,
                           "an event of the wait list belongs to another context than the queue");
    // Only commands that acquire or release take events made from the sync objects of others.
    if (event->isLinked() && linked == LinkedEvents::Refused)
      return Status::error(CL_INVALID_EVENT,
                           "an event of the wait list is linked to a sync object of a graphics "
                           "library, for which only commands that acquire objects can wait");
  }
  return list;
}

Status checkNoneFailed(const runtime::WaitList& waitList) {
  for (const runtime::Event* event : waitList)
    if (const cl_int status = event->status(); status < 0)
      return Status::error(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                           sentence("an event of the wait list ended with status ", status));
  return {};
}

Status waitForCommand(runtime::Event& command) {
  const cl_int status = command.wait();
  if (status < 0)
    return Status::error(
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        sentence("the command or one that it waited for ended with status ", status));
  return {};
}

} // namespace quern::api
