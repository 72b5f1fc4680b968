// Machine code of the kernels in CUDA C++, made by nvcc when the benchmark runs.
#pragma once

#include "base/result.h"

#include <string>

namespace quern::bench::cuda {

/// The machine code of the kernels that stand for an OpenCL C source, which names its file in a
/// `#line` directive on its first line. `options` are those of clBuildProgram, of which definitions
/// count; `architecture` is as 90; `isFast` asks for fast math. Code is
/// kept in the folder QUERN_BENCH_CUDA_CACHE, where it is looked for first, or else in the system's
/// folder for temporary files. Fails with CL_BUILD_PROGRAM_FAILURE and what nvcc said.
Result<std::string> machineCode(const std::string& source, const std::string& options,
                                int architecture, bool isFast);

} // namespace quern::bench::cuda
