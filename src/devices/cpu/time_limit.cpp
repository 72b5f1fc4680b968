#include "devices/cpu/time_limit.h"

#include "base/config.h"
#include "devices/cpu/work_run.h"

namespace quern::cpu {

uint64_t TimeLimit::ofKernels() {
  constexpr uint64_t nanosecondsPerSecond = 1'000'000'000;
  static const uint64_t limit = config().number(Option::KernelTime) * nanosecondsPerSecond;
  return limit;
}

void TimeLimit::setDeadline() {
  uint64_t none = 0;
  deadline_.compare_exchange_strong(none, now() + ofKernels());
}

bool TimeLimit::isExceeded() const {
  return isEnded_.load(std::memory_order_relaxed) || (deadline() != 0 && now() > deadline());
}

} // namespace quern::cpu
