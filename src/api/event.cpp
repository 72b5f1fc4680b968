#include "api/event.h"

#include "api/handle.h"
#include "runtime/command_queue.h"
#include "runtime/context.h"

namespace quern::api {

namespace {

using runtime::Event;

constexpr InfoRow<Event> eventRows[] = {
    {CL_EVENT_COMMAND_QUEUE,
     [](const Event& event, InfoValue& value) {
       value.put(toHandle(event.hasOtherQueues() ? nullptr : event.queue()));
     }},
    {CL_EVENT_CONTEXT,
     [](const Event& event, InfoValue& value) { value.put(toHandle(&event.context())); }},
    {CL_EVENT_COMMAND_TYPE, [](const Event& event, InfoValue& value) { value.put(event.type()); }},
    {CL_EVENT_COMMAND_EXECUTION_STATUS,
     [](const Event& event, InfoValue& value) { value.put(event.status()); }},
    {CL_EVENT_REFERENCE_COUNT,
     [](const Event& event, InfoValue& value) { value.put<cl_uint>(event.apiReferences()); }},
};

constexpr InfoRow<Event> profilingRows[] = {
    {CL_PROFILING_COMMAND_QUEUED,
     [](const Event& event, InfoValue& value) { value.put<cl_ulong>(event.times().queued); }},
    {CL_PROFILING_COMMAND_SUBMIT,
     [](const Event& event, InfoValue& value) { value.put<cl_ulong>(event.times().submitted); }},
    {CL_PROFILING_COMMAND_START,
     [](const Event& event, InfoValue& value) { value.put<cl_ulong>(event.times().started); }},
    {CL_PROFILING_COMMAND_END,
     [](const Event& event, InfoValue& value) { value.put<cl_ulong>(event.times().ended); }},
    {CL_PROFILING_COMMAND_COMPLETE,
     [](const Event& event, InfoValue& value) { value.put<cl_ulong>(event.times().completed); }},
};

} // namespace

Result<Ref<Event>> createUserEvent(cl_context context) {
  QUERN_ASSIGN(runtime::Context * object, fromHandle<runtime::Context>(context));
  return Event::createUserEvent(*object);
}

Status setUserEventStatus(cl_event event, cl_int status) {
  QUERN_ASSIGN(Event * object, fromHandle<Event>(event));
  // The event is not a user event.
  if (!object->isUserEvent())
    return Status::error(CL_INVALID_EVENT,
                         "the event belongs to a command and is not a user event");
  // The status is neither CL_COMPLETE nor negative.
  if (status > CL_COMPLETE)
    return Status::error(CL_INVALID_VALUE,
                         sentence("status ", status, " is neither CL_COMPLETE nor negative"));
  // The status has already been changed.
  if (!object->setUserStatus(status))
    return Status::error(CL_INVALID_OPERATION, "the status of the user event was set before");
  return {};
}

Status waitForEvents(cl_uint count, const cl_event* events) {
  // num_events is zero or event_list is NULL.
  if (count == 0 || !events)
    return Status::error(CL_INVALID_VALUE, "the list of events is empty");
  QUERN_ASSIGN(const std::vector<Event*> list, fromHandles<Event>(count, events));
  for (const Event* event : list)
    // The events do not belong to the same context.
    if (&event->context() != &list.front()->context())
      return Status::error(CL_INVALID_CONTEXT, "the events belong to different contexts");
  // A thread that waits for one event works on it before it wakes others; several may be of
  // different devices, which should all begin now.
  if (list.size() > 1)
    for (Event* event : list)
      event->flush();
  cl_int failure = CL_COMPLETE;
  for (Event* event : list)
    if (const cl_int status = event->wait(); status < 0)
      failure = status;
  if (failure < 0)
    return Status::error(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                         sentence("an event of the list ended with status ", failure));
  return {};
}

Status getEventInfo(cl_event event, cl_event_info name, const InfoRequest& request) {
  QUERN_ASSIGN(Event * object, fromHandle<Event>(event));
  if (name == CL_EVENT_COMMAND_EXECUTION_STATUS)
    object->poll();
  return query(std::span<const InfoRow<Event>>(eventRows), "event", *object, name, request);
}

Status getEventProfilingInfo(cl_event event, cl_profiling_info name, const InfoRequest& request) {
  QUERN_ASSIGN(const Event* object, fromHandle<Event>(event));
  // A user event, a queue without CL_QUEUE_PROFILING_ENABLE, or a command that is not complete.
  if (!object->queue() || !object->queue()->hasProfiling())
    return Status::error(CL_PROFILING_INFO_NOT_AVAILABLE,
                         "the event does not belong to a command of a queue with profiling");
  if (const cl_int status = object->status(); status != CL_COMPLETE)
    return Status::error(CL_PROFILING_INFO_NOT_AVAILABLE,
                         sentence("the status of the command is ", status, ", not CL_COMPLETE"));
  return query(std::span<const InfoRow<Event>>(profilingRows), "profiled event", *object, name,
               request);
}

Status setEventCallback(cl_event event, cl_int trigger, Event::CallbackFunction function,
                        void* userData) {
  QUERN_ASSIGN(Event * object, fromHandle<Event>(event));
  // pfn_event_notify is NULL, or the callback type is not a status that is reached.
  if (!function)
    return Status::error(CL_INVALID_VALUE, "pfn_event_notify is NULL");
  if (trigger != CL_SUBMITTED && trigger != CL_RUNNING && trigger != CL_COMPLETE)
    return Status::error(
        CL_INVALID_VALUE,
        sentence("callback type ", trigger, " is not CL_SUBMITTED, CL_RUNNING or CL_COMPLETE"));
  object->addCallback(trigger, function, userData);
  return {};
}

} // namespace quern::api
