#include "devices/null/transfer.h"

#include <cstring>
#include <ctime>

#include "device/graph.h"

namespace quern::null {

namespace {

std::byte* at(const device::Place& place) {
  std::byte* const base = place.allocation ? place.allocation->hostPointer() : place.host;
  return base + place.offset;
}

void performOne(const device::Nothing&) {}
void performOne(const device::UseSemaphores&) {}
void performOne(const device::LaunchKernel&) {}
void performOne(const device::CallHost& call) {
  call.function();
}

void performOne(const device::Copy& copy) {
  std::memmove(at(copy.destination), at(copy.source), copy.bytes);
}

void performOne(const device::CopyRect& rect) {
  for (uint64_t slice = 0; slice < rect.region[2]; ++slice)
    for (uint64_t row = 0; row < rect.region[1]; ++row)
      std::memmove(at(rect.destination) + slice * rect.destinationSlicePitch +
                       row * rect.destinationRowPitch,
                   at(rect.source) + slice * rect.sourceSlicePitch + row * rect.sourceRowPitch,
                   rect.region[0]);
}

void performOne(const device::Fill& fill) {
  for (uint64_t i = 0; i < fill.bytes; ++i)
    at(fill.destination)[i] = fill.pattern[i % fill.patternBytes];
}

void performOne(const device::FillRect& fill) {
  for (uint64_t slice = 0; slice < fill.region[2]; ++slice)
    for (uint64_t row = 0; row < fill.region[1]; ++row) {
      std::byte* const begin = at(fill.destination) + slice * fill.slicePitch + row * fill.rowPitch;
      for (uint64_t i = 0; i < fill.region[0]; ++i)
        begin[i] = fill.pattern[i % fill.patternBytes];
    }
}

void performOne(const device::RunGraph& run) {
  for (size_t node = 0; node < run.graph->size(); ++node)
    perform(run.graph->work(node));
}

} // namespace

uint64_t timestamp() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

void perform(const device::Work& work) {
  std::visit([](const auto& one) { performOne(one); }, work);
}

} // namespace quern::null
