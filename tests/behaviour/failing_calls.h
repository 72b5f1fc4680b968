#pragma once

namespace quern::tests {

/// What failing_calls.cpp can make fail. Gpu: a function of NVIDIA's driver.
enum class FailingCall : int { Malloc, Mmap, Thread, Write, Gpu };

} // namespace quern::tests
