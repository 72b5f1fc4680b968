#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/mutex_protected.h"

namespace quern::cpu {

/// Collects what one kernel launch prints and writes it to the program's standard output: when much
/// has come together, and in flush. Thread-safe; the records of one thread keep their order.
class PrintSink {
public:
  /// abi::LaunchInfo::print; `sink` is a PrintSink.
  static int32_t print(void* sink, const std::byte* record, uint64_t recordBytes);

  /// After all threads that print have come together.
  void flush() {
    if (hasText_.load(std::memory_order_relaxed))
      writeText();
  }

private:
  void writeText();

  std::atomic<bool> hasText_{false};
  MutexProtected<std::string> text_;
};

} // namespace quern::cpu
