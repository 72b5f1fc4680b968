#pragma once

#include <functional>
#include <string>

namespace quern::compiler {

/// Runs `work` on a thread of its own with a stack that is large enough for deeply nested programs,
/// and waits for it. The result is empty, or the message of a fatal error of LLVM or of an
/// exception that ended the work early; what the work held then is leaked.
std::string runIsolated(const std::function<void()>& work);

/// Prepares LLVM once for the process: targets and the handler that turns fatal errors into
/// messages.
void initializeLlvm();

} // namespace quern::compiler
