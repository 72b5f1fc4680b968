#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace quern::compiler {

/// What deeply nested programs need.
inline constexpr size_t largeStackBytes = size_t{64} << 20;

/// Runs `work` where the stack has at least largeStackBytes: on the calling thread, or on one of
/// its own, for which it waits. The result is empty, or the message of an exception that ended the
/// work early.
std::string runOnLargeStack(const std::function<void()>& work);

} // namespace quern::compiler
