#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "devices/cuda/gpu.h"

namespace quern::cuda {

/// CLOCK_MONOTONIC in nanoseconds, the clock of these devices.
uint64_t now();

/// Tells when the GPU passed an event, in nanoseconds of `now`. Thread-safe.
class Clock {
public:
  explicit Clock(const Gpu& gpu) : gpu_(gpu) {}

  /// `event` has been passed and keeps times; the context is current. Blocks for microseconds now
  /// and then, to compare the GPU's clock with the host's.
  uint64_t timeOf(EventHandle event);

private:
  void compare();

  const Gpu& gpu_;
  std::mutex mutex_;
  StreamHandle stream_ = nullptr;
  EventHandle reference_ = nullptr;
  uint64_t referenceTime_ = 0;
};

} // namespace quern::cuda
