#pragma once

#include <string_view>

#include <CL/cl.h>

#include "base/result.h"

namespace quern::api {

/// Writes a failed call to the log and, when `subject` is a valid handle that belongs to a context,
/// tells the program through the context's notify function. `function` is the exported name.
void reportFailure(const char* function, const void* subject, const Status& status);

/// "CL_INVALID_VALUE" for -30, and so on.
std::string_view errorName(cl_int code);

} // namespace quern::api
