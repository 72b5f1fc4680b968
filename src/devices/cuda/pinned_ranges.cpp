#include "devices/cuda/pinned_ranges.h"

#include <iterator>

namespace quern::cuda {

PinnedRanges& pinnedRanges() {
  static auto* const ranges = new PinnedRanges();
  return *ranges;
}

void PinnedRanges::add(const std::byte* begin, uint64_t bytes) {
  std::lock_guard lock(mutex_);
  ranges_[begin] = bytes;
  count_ = ranges_.size();
}

void PinnedRanges::remove(const std::byte* begin) {
  std::lock_guard lock(mutex_);
  ranges_.erase(begin);
  count_ = ranges_.size();
}

bool PinnedRanges::contains(const std::byte* place) const {
  if (count_.load(std::memory_order_relaxed) == 0)
    return false;
  std::lock_guard lock(mutex_);
  const auto after = ranges_.upper_bound(place);
  if (after == ranges_.begin())
    return false;
  const auto& [begin, bytes] = *std::prev(after);
  return place < begin + bytes;
}

} // namespace quern::cuda
