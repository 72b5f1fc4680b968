#pragma once

#include <CL/cl.h>

#include "api/buffer_commands.h"

/// Launching kernels (OpenCL 3.0, 5.10).
namespace quern::api {

/// The sizes of an NDRange as the program gives them.
struct RangeArguments {
  cl_uint workDim = 0;
  const size_t* offset = nullptr;
  const size_t* global = nullptr;
  const size_t* local = nullptr;
};

Result<Command> enqueueNdRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                     const RangeArguments& range, WaitArguments wait);
Result<Command> enqueueTask(cl_command_queue queue, cl_kernel kernel, WaitArguments wait);

/// clGetKernelSuggestedLocalWorkSizeKHR: the local size that enqueueNdRangeKernel chooses where
/// `range` has none.
Status getKernelSuggestedLocalWorkSize(cl_command_queue queue, cl_kernel kernel,
                                       const RangeArguments& range, size_t* suggested);

} // namespace quern::api
