#pragma once

#include <CL/cl.h>

#include "base/result.h"
#include "runtime/context.h"
#include "runtime/event.h"

namespace quern::api {

/// Whether a command may wait for events that are linked to a graphics library.
enum class LinkedEvents : bool { Refused, Allowed };

/// The wait list of an enqueue function. CL_INVALID_EVENT_WAIT_LIST when list and count disagree or
/// an event is not valid; CL_INVALID_CONTEXT when one belongs to another context than `context`;
/// CL_INVALID_EVENT when one is linked and the function does not take such.
Result<runtime::WaitList> parseWaitList(const runtime::Context& context, cl_uint count,
                                        const cl_event* events,
                                        LinkedEvents linked = LinkedEvents::Refused);

/// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST when an event has failed already: for the functions
/// of which the specification wants that.
Status checkNoneFailed(const runtime::WaitList& waitList);

/// Blocks until `command` has ended. CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST when it did not
/// complete: what every blocking enqueue function returns then.
Status waitForCommand(runtime::Event& command);

} // namespace quern::api
