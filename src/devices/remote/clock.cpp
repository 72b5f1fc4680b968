#include "devices/remote/clock.h"

#include <ctime>

namespace quern::remote {

uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

void ClockOffset::measure(uint64_t sent, uint64_t nodeTime, uint64_t back) {
  const uint64_t trip = back - sent;
  if (trip <= bestTrip_) {
    bestTrip_ = trip;
    offset_.store(nodeTime - (sent + trip / 2), std::memory_order_relaxed);
    return;
  }
  // Clocks drift, so that what was measured long ago counts less and less.
  bestTrip_ += bestTrip_ / 16 + 1;
}

} // namespace quern::remote
