#pragma once

#include <llvm/IR/Module.h>

#include "base/result.h"

namespace quern::compiler {

/// Far more than the CL_DEVICE_MAX_PARAMETER_SIZE of any device, beyond which a program may still
/// work.
inline constexpr uint64_t maxArgumentBytes = uint64_t{1} << 20;

/// Fails with CL_BUILD_PROGRAM_FAILURE where a program is of a size that no device has room for:
/// its variables in global and constant memory, or the arguments of a kernel. Code that is made of
/// it would take as much of the host's memory several times.
Status checkProgramLimits(const llvm::Module& module);

} // namespace quern::compiler
