#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

namespace quern::remote {

/// Nanoseconds of CLOCK_MONOTONIC.
uint64_t now();

/// How far a node's clock is ahead of this machine's, from the times of messages that go there and
/// back: the error is at most half of what the fastest of them took. One thread at a time measures;
/// all may ask.
class ClockOffset {
public:
  /// A message left at `sent`, was answered at `nodeTime` of the node's clock and is back now.
  void measure(uint64_t sent, uint64_t nodeTime, uint64_t back);
  /// A time of the node's clock, by the clock here.
  uint64_t here(uint64_t nodeTime) const {
    return nodeTime - offset_.load(std::memory_order_relaxed);
  }

private:
  std::atomic<uint64_t> offset_{0}; ///< modulo 2^64
  uint64_t bestTrip_ = std::numeric_limits<uint64_t>::max();
};

} // namespace quern::remote
