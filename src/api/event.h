#pragma once

#include <CL/cl.h>

#include "api/info.h"
#include "base/ref.h"
#include "base/result.h"
#include "runtime/event.h"

namespace quern::api {

Result<Ref<runtime::Event>> createUserEvent(cl_context context);
Status setUserEventStatus(cl_event event, cl_int status);
Status waitForEvents(cl_uint count, const cl_event* events);
Status getEventInfo(cl_event event, cl_event_info name, const InfoRequest& request);
Status getEventProfilingInfo(cl_event event, cl_profiling_info name, const InfoRequest& request);
Status setEventCallback(cl_event event, cl_int trigger, runtime::Event::CallbackFunction function,
                        void* userData);

} // namespace quern::api
