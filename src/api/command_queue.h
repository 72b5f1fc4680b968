#pragma once

#include <CL/cl.h>

#include "api/info.h"
#include "base/ref.h"
#include "base/result.h"
#include "runtime/command_queue.h"

namespace quern::api {

/// clCreateCommandQueue.
Result<Ref<runtime::CommandQueue>> createCommandQueue(cl_context context, cl_device_id device,
                                                      cl_command_queue_properties properties);
/// clCreateCommandQueueWithProperties and its KHR form.
Result<Ref<runtime::CommandQueue>>
createCommandQueueWithProperties(cl_context context, cl_device_id device,
                                 const cl_queue_properties* properties);
Status releaseCommandQueue(cl_command_queue queue);
Status getCommandQueueInfo(cl_command_queue queue, cl_command_queue_info name,
                           const InfoRequest& request);
/// Always an error: no device lets the properties of a queue change.
Status setCommandQueueProperty(cl_command_queue queue);
/// Always an error: no device has on-device queues.
Status setDefaultDeviceCommandQueue(cl_context context, cl_device_id device);
Status flush(cl_command_queue queue);
Status finish(cl_command_queue queue);

} // namespace quern::api
