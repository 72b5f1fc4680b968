#pragma once

#include <atomic>
#include <cstdint>

namespace quern::cpu {

/// How long one launch may take (option QUERN_KERNEL_TIME). All threads that run it share one. All
/// functions are thread-safe.
class TimeLimit {
public:
  TimeLimit() = default;
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  /// Nanoseconds that a launch may take; 0: any.
  static uint64_t ofKernels();

  /// The time begins with the first call.
  void begin() {
    if (ofKernels() != 0) [[unlikely]]
      setDeadline();
  }
  /// On `now`; 0 for none.
  uint64_t deadline() const { return deadline_.load(std::memory_order_relaxed); }
  bool isExceeded() const;
  /// The launch is ended for it. True in the first call.
  bool end() { return !isEnded_.exchange(true); }

private:
  void setDeadline();

  std::atomic<uint64_t> deadline_{0};
  std::atomic<bool> isEnded_{false};
};

} // namespace quern::cpu
