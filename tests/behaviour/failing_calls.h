#pragma once

namespace quern::tests {

/// What failing_calls.cpp can make fail.
enum class FailingCall : int { Malloc, Mmap, Thread, Write };

} // namespace quern::tests
