#pragma once

#include <CL/cl.h>

#include "api/buffer_commands.h"
#include "runtime/kernel.h"

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
/// Whether a launch may be recorded before all arguments of its kernel are set.
enum class LateArguments : bool { Refused, Allowed };
/// Records a launch for the device of `queue`, for a command buffer. Null where arguments are
/// missing and may be: then everything else has been checked.
Result<runtime::Recorded> recordNdRangeKernel(runtime::CommandQueue& queue,
                                              const runtime::Kernel& kernel,
                                              const RangeArguments& range, LateArguments late);
Result<Command> enqueueTask(cl_command_queue queue, cl_kernel kernel, WaitArguments wait);

/// clGetKernelSuggestedLocalWorkSize: the local size that enqueueNdRangeKernel chooses where
/// `range` has none.
Status getKernelSuggestedLocalWorkSize(cl_command_queue queue, cl_kernel kernel,
                                       const RangeArguments& range, size_t* suggested);

} // namespace quern::api
