#include "devices/cuda/clock.h"

#include <algorithm>
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

Interval placed(uint64_t start, uint64_t duration, Interval limits) {
  duration = std::min(duration, limits.end - limits.start);
  start = std::clamp(start, limits.start, limits.end - duration);
  return {.start = start, .end = start + duration};
}

Interval Clock::between(EventHandle start, EventHandle end, Interval limits) {
  float milliseconds = 0;
  if (gpu_.api.eventElapsedTime(&milliseconds, start, end) != Error::Success)
    return limits;
  return placed(timeOf(start), static_cast<uint64_t>(std::max(0.0, double(milliseconds)) * 1e6),
                limits);
}

uint64_t Clock::timeOf(EventHandle event) {
  auto reference = reference_.lock();
  if (!reference->event || now() - reference->time > maxReferenceAge)
    renew(*reference);
  float milliseconds = 0;
  if (gpu_.api.eventElapsedTime(&milliseconds, reference->event, event) != Error::Success)
    return now();
  return reference->time + static_cast<uint64_t>(static_cast<int64_t>(double(milliseconds) * 1e6));
}

void Clock::renew(Reference& reference) const {
  if (!reference.stream)
    gpu_.api.streamCreateWithPriority(&reference.stream, streamNonBlocking, 0);
  if (!reference.event)
    gpu_.api.eventCreate(&reference.event, eventDefault);
  const uint64_t before = now();
  gpu_.api.eventRecord(reference.event, reference.stream);
  gpu_.api.eventSynchronize(reference.event);
  reference.time = before + (now() - before) / 2;
}

} // namespace quern::cuda
