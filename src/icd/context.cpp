#include "icd/entry.h"
#include "icd/extension_functions.h"
#include "icd/functions.h"

#include "api/command_queue.h"
#include "api/context.h"

namespace quern::icd {

using runtime::Context;

cl_context CL_API_CALL clCreateContext(const cl_context_properties* properties, cl_uint num_devices,
                                       const cl_device_id* devices,
                                       Context::NotifyFunction pfn_notify, void* user_data,
                                       cl_int* errcode_ret) {
  return create({"clCreateContext"}, errcode_ret, [&] {
    return api::createContext(properties, num_devices, devices, {pfn_notify, user_data});
  });
}

cl_context CL_API_CALL clCreateContextFromType(const cl_context_properties* properties,
                                               cl_device_type device_type,
                                               Context::NotifyFunction pfn_notify, void* user_data,
                                               cl_int* errcode_ret) {
  return create({"clCreateContextFromType"}, errcode_ret, [&] {
    return api::createContextFromType(properties, device_type, {pfn_notify, user_data});
  });
}

cl_int CL_API_CALL clRetainContext(cl_context context) {
  return run({"clRetainContext"}, [&] { return api::retain<Context>(context); });
}

cl_int CL_API_CALL clReleaseContext(cl_context context) {
  return run({"clReleaseContext"}, [&] { return api::release<Context>(context); });
}

cl_int CL_API_CALL clGetContextInfo(cl_context context, cl_context_info param_name,
                                    size_t param_value_size, void* param_value,
                                    size_t* param_value_size_ret) {
  return run({"clGetContextInfo", context}, [&] {
    return api::getContextInfo(context, param_name,
                               {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clSetContextDestructorCallback(cl_context context,
                                                  Context::DestructorFunction pfn_notify,
                                                  void* user_data) {
  return run({"clSetContextDestructorCallback", context},
             [&] { return api::setContextDestructorCallback(context, pfn_notify, user_data); });
}

cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                  cl_command_queue_properties properties,
                                                  cl_int* errcode_ret) {
  return create({"clCreateCommandQueue", context}, errcode_ret,
                [&] { return api::createCommandQueue(context, device, properties); });
}

cl_command_queue CL_API_CALL
clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                   const cl_queue_properties* properties, cl_int* errcode_ret) {
  const Call call = {"clCreateCommandQueueWithProperties", context};
  if (api::asksForDeviceQueue(properties))
    return create(call, errcode_ret, [&] {
      return api::createDeviceQueueWithProperties(context, device, properties);
    });
  return create(call, errcode_ret,
                [&] { return api::createCommandQueueWithProperties(context, device, properties); });
}

cl_command_queue CL_API_CALL clCreateCommandQueueWithPropertiesKHR(
    cl_context context, cl_device_id device, const cl_queue_properties_khr* properties,
    cl_int* errcode_ret) {
  return icd::clCreateCommandQueueWithProperties(context, device, properties, errcode_ret);
}

cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue command_queue) {
  return run({"clRetainCommandQueue"}, [&] { return api::retainCommandQueue(command_queue); });
}

cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue command_queue) {
  return run({"clReleaseCommandQueue"}, [&] { return api::releaseCommandQueue(command_queue); });
}

cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue command_queue,
                                         cl_command_queue_info param_name, size_t param_value_size,
                                         void* param_value, size_t* param_value_size_ret) {
  return run({"clGetCommandQueueInfo", command_queue}, [&] {
    return api::getCommandQueueInfo(command_queue, param_name,
                                    {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue command_queue,
                                             cl_command_queue_properties, cl_bool,
                                             cl_command_queue_properties*) {
  return run({"clSetCommandQueueProperty", command_queue},
             [&] { return api::setCommandQueueProperty(command_queue); });
}

cl_int CL_API_CALL clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
                                                  cl_command_queue command_queue) {
  return run({"clSetDefaultDeviceCommandQueue", context},
             [&] { return api::setDefaultDeviceCommandQueue(context, device, command_queue); });
}

cl_int CL_API_CALL clFlush(cl_command_queue command_queue) {
  return run({"clFlush", command_queue}, [&] { return api::flush(command_queue); });
}

cl_int CL_API_CALL clFinish(cl_command_queue command_queue) {
  return run({"clFinish", command_queue}, [&] { return api::finish(command_queue); });
}

} // namespace quern::icd
