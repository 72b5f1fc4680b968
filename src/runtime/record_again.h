#pragma once

#include "base/result.h"
#include "runtime/recorded_command.h"

namespace quern::runtime {

/// Records for `device` what `command`, a transfer or a barrier, does on another device of the
/// context. Fails with CL_MISALIGNED_SUB_BUFFER_OFFSET, and with CL_INVALID_OPERATION where the
/// device has no such memory.
Result<Recorded> recordAgain(const Device& device, const RecordedCommand& command);

} // namespace quern::runtime
