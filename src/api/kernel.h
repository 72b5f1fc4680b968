#pragma once

#include <CL/cl.h>

#include "api/info.h"
#include "base/ref.h"
#include "base/result.h"
#include "runtime/kernel.h"

/// Kernel objects (OpenCL 3.0, 5.9): creation, arguments, queries. Launching them is in
/// api/kernel_commands.h.
namespace quern::api {

Result<Ref<runtime::Kernel>> createKernel(cl_program program, const char* name);
/// Writes the handles, each with a reference of the program's, and their number where they are
/// asked for.
Status createKernelsInProgram(cl_program program, cl_uint capacity, cl_kernel* kernels,
                              cl_uint* count);
Result<Ref<runtime::Kernel>> cloneKernel(cl_kernel kernel);

Status setKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void* value);
Status setKernelArgSvmPointer(cl_kernel kernel, cl_uint index, const void* pointer);
Status setKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info name, size_t size,
                         const void* value);

Status getKernelInfo(cl_kernel kernel, cl_kernel_info name, const InfoRequest& request);
Status getKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name,
                        const InfoRequest& request);
Status getKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info name,
                              const InfoRequest& request);
/// No device has sub-groups, so this only fails.
Status getKernelSubGroupInfo(cl_kernel kernel, cl_device_id device);

} // namespace quern::api
