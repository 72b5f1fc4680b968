#include "icd/entry.h"
#include "icd/functions.h"

#include "api/event.h"

namespace quern::icd {

using runtime::Event;

cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int* errcode_ret) {
  return create({"clCreateUserEvent", context}, errcode_ret,
                [&] { return api::createUserEvent(context); });
}

cl_int CL_API_CALL clSetUserEventStatus(cl_event event, cl_int execution_status) {
  return run({"clSetUserEventStatus", event},
             [&] { return api::setUserEventStatus(event, execution_status); });
}

cl_int CL_API_CALL clWaitForEvents(cl_uint num_events, const cl_event* event_list) {
  return run({"clWaitForEvents", event_list && num_events > 0 ? event_list[0] : nullptr},
             [&] { return api::waitForEvents(num_events, event_list); });
}

cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size,
                                  void* param_value, size_t* param_value_size_ret) {
  return run({"clGetEventInfo", event}, [&] {
    return api::getEventInfo(event, param_name,
                             {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name,
                                           size_t param_value_size, void* param_value,
                                           size_t* param_value_size_ret) {
  return run({"clGetEventProfilingInfo", event}, [&] {
    return api::getEventProfilingInfo(event, param_name,
                                      {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clRetainEvent(cl_event event) {
  return run({"clRetainEvent"}, [&] { return api::retain<Event>(event); });
}

cl_int CL_API_CALL clReleaseEvent(cl_event event) {
  return run({"clReleaseEvent"}, [&] { return api::release<Event>(event); });
}

cl_int CL_API_CALL clSetEventCallback(cl_event event, cl_int command_exec_callback_type,
                                      Event::CallbackFunction pfn_notify, void* user_data) {
  return run({"clSetEventCallback", event}, [&] {
    return api::setEventCallback(event, command_exec_callback_type, pfn_notify, user_data);
  });
}

} // namespace quern::icd
