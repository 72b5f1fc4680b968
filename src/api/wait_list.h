#pragma once

#include <CL/cl.h>

#include "base/result.h"
#include "runtime/context.h"
#include "runtime/event.h"

namespace quern::api {

/// The wait list of an enqueue function. CL_INVALID_EVENT_WAIT_LIST when list and count disagree or
/// an event is not valid; CL_INVALID_CONTEXT when one belongs to another context than `context`.
Result<runtime::WaitList> parseWaitList(const runtime::Context& context, cl_uint count,
                                        const cl_event* events);

/// Blocks until `command` has ended. CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST when it did not
/// complete: what every blocking enqueue function returns then.
Status waitForCommand(runtime::Event& command);

} // namespace quern::api
