#include "devices/cuda/pinned_ranges.h"

#include <iterator>

namespace quern::cuda {

PinnedRanges& pinnedRanges() {
  static auto* const ranges = new PinnedRanges();
  return *ranges;
}

void PinnedRanges::add(const std::byte* begin, uint64_t bytes) {
  auto ranges = ranges_.lock();
  (*ranges)[begin] = bytes;
  count_ = ranges->size();
}

void PinnedRanges::remove(const std::byte* begin) {
  auto ranges = ranges_.lock();
  ranges->erase(begin);
  count_ = ranges->size();
}

bool PinnedRanges::contains(const std::byte* place) const {
  if (count_.load(std::memory_order_relaxed) == 0)
    return false;
  auto ranges = ranges_.lock();
  const auto after = ranges->upper_bound(place);
  if (after == ranges->begin())
    return false;
  const auto& [begin, bytes] = *std::prev(after);
  return place < begin + bytes;
}

} // namespace quern::cuda
