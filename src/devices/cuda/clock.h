#pragma once

#include <cstdint>
#include <memory>

#include "base/mutex_protected.h"

#include "devices/cuda/gpu.h"

namespace quern::cuda {

/// CLOCK_MONOTONIC in nanoseconds, the clock of these devices.
uint64_t now();

/// In nanoseconds of `now`.
struct Interval {
  uint64_t start, end;
};
/// The interval of `duration` in `limits` whose start is nearest to `start`; all of `limits` where
/// they are shorter.
Interval placed(uint64_t start, uint64_t duration, Interval limits);

/// Tells when the GPU passed events. Thread-safe.
class Clock {
public:
  explicit Clock(const Gpu& gpu) : gpu_(gpu) {}

  /// Between `start` and `end`, events which have been passed and keep times; the context is
  /// current. The duration is the GPU's own; where it lies is known only as well as the GPU's clock
  /// can be compared with the host's, and is put right so that it lies in `limits`. Blocks for
  /// microseconds now and then, to compare the two.
  Interval between(EventHandle start, EventHandle end, Interval limits);

private:
  /// An event whose time is known, on a stream of its own.
  struct Reference {
    StreamHandle stream = nullptr;
    EventHandle event = nullptr;
    uint64_t time = 0;
  };
  void renew(Reference& reference) const;
  uint64_t timeOf(EventHandle event);

  const Gpu& gpu_;
  MutexProtected<Reference> reference_;
};

} // namespace quern::cuda
