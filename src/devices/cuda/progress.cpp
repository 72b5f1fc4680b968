#include "devices/cuda/progress.h"

#include <new>

#include "base/pages.h"

namespace quern::cuda {

namespace {

/// Of a line of the processor's caches.
constexpr size_t distance = 64;

} // namespace

Progress* ProgressNumbers::take() {
  auto free = free_.lock();
  if (free->empty()) {
    void* page = nullptr;
    if (gpu_.api.memHostAlloc(&page, pageBytes, hostAllocPortable | hostAllocDeviceMap) !=
        Error::Success)
      return nullptr;
    for (size_t offset = 0; offset < pageBytes; offset += distance)
      free->push_back(new (static_cast<std::byte*>(page) + offset) Progress());
  }
  Progress* progress = free->back();
  free->pop_back();
  progress->store(0, std::memory_order_relaxed);
  return progress;
}

void ProgressNumbers::giveBack(Progress* progress) {
  free_.lock()->push_back(progress);
}

} // namespace quern::cuda
