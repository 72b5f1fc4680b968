#pragma once

#include <CL/cl.h>

#include "api/info.h"
#include "api/newer_constants.h"
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
/// Of cl_intel_unified_shared_memory: any pointer may be set.
Status setKernelArgMemPointer(cl_kernel kernel, cl_uint index, const void* pointer);
/// Of cl_ext_buffer_device_address: likewise.
Status setKernelArgDevicePointer(cl_kernel kernel, cl_uint index, MemoryDeviceAddress address);
Status setKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info name, size_t size,
                         const void* value);

Status getKernelInfo(cl_kernel kernel, cl_kernel_info name, const InfoRequest& request);
Status getKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name,
                        const InfoRequest& request);
Status getKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info name,
                              const InfoRequest& request);

/// The input of a query that has one.
struct SubGroupInput {
  size_t size = 0; ///< in bytes
  const void* value = nullptr;
};
Status getKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info name,
                             const SubGroupInput& input, const InfoRequest& request);

/// The device of a query that needs one. CL_INVALID_DEVICE when it is not one of the kernel's, or
/// is NULL while there are several.
Result<const runtime::KernelOnDevice*> parsePlace(const runtime::Kernel& kernel,
                                                  cl_device_id device);

} // namespace quern::api
