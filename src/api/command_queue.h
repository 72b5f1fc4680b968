#pragma once

#include <CL/cl.h>

#include "api/info.h"
#include "base/ref.h"
#include "base/result.h"
#include "runtime/command_queue.h"
#include "runtime/device_queue.h"

namespace quern::api {

/// clCreateCommandQueue.
Result<Ref<runtime::CommandQueue>> createCommandQueue(cl_context context, cl_device_id device,
                                                      cl_command_queue_properties properties);
/// clCreateCommandQueueWithProperties and its KHR form.
Result<Ref<runtime::CommandQueue>>
createCommandQueueWithProperties(cl_context context, cl_device_id device,
                                 const cl_queue_properties* properties);
/// The same, for a list that asks for a queue on the device.
Result<Ref<runtime::DeviceQueue>>
createDeviceQueueWithProperties(cl_context context, cl_device_id device,
                                const cl_queue_properties* properties);
/// Whether `properties` ask for one.
bool asksForDeviceQueue(const cl_queue_properties* properties);
Status retainCommandQueue(cl_command_queue queue);
Status releaseCommandQueue(cl_command_queue queue);
Status getCommandQueueInfo(cl_command_queue queue, cl_command_queue_info name,
                           const InfoRequest& request);
/// Always an error: no device lets the properties of a queue change.
Status setCommandQueueProperty(cl_command_queue queue);
Status setDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
                                    cl_command_queue queue);
Status flush(cl_command_queue queue);
Status finish(cl_command_queue queue);

} // namespace quern::api
