#include "devices/cuda/clock.h"

#include <ctime>

namespace quern::cuda {

namespace {

/// The driver gives differences as a float of milliseconds, which is exact to some 30 ns up to
/// here.
constexpr uint64_t maxReferenceAge = 500'000'000;

} // namespace

uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

uint64_t Clock::timeOf(EventHandle event) {
  std::lock_guard lock(mutex_);
  if (!reference_ || now() - referenceTime_ > maxReferenceAge)
    compare();
  float milliseconds = 0;
  if (gpu_.api.eventElapsedTime(&milliseconds, reference_, event) != Error::Success)
    return now();
  return referenceTime_ + static_cast<uint64_t>(static_cast<int64_t>(double(milliseconds) * 1e6));
}

void Clock::compare() {
  if (!stream_)
    gpu_.api.streamCreateWithPriority(&stream_, streamNonBlocking, 0);
  if (!reference_)
    gpu_.api.eventCreate(&reference_, eventDefault);
  const uint64_t before = now();
  gpu_.api.eventRecord(reference_, stream_);
  gpu_.api.eventSynchronize(reference_);
  referenceTime_ = before + (now() - before) / 2;
}

} // namespace quern::cuda
