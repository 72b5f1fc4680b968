#pragma once

#include <cstdint>
#include <memory>

#include "base/mutex_protected.h"

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
  /// An event whose time is known, on a stream of its own.
  struct Reference {
    StreamHandle stream = nullptr;
    EventHandle event = nullptr;
    uint64_t time = 0;
  };
  void renew(Reference& reference) const;

  const Gpu& gpu_;
  MutexProtected<Reference> reference_;
};

} // namespace quern::cuda
