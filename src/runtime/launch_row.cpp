#include "runtime/launch_row.h"

#include <algorithm>

namespace quern::runtime {

const LaunchRow::Launch* LaunchRow::find(uint64_t version, const device::NdRange& range) const {
  const uint32_t compared = std::min(different_, mostCompared);
  for (uint32_t i = 1; i <= compared; ++i)
    if (const Launch& launch = launches_[different_ - i];
        launch.version == version && launch.work.range == range)
      return &launch;
  return nullptr;
}

LaunchRow::Launch* LaunchRow::fresh() {
  if (different_ == mostDifferent || size() == mostLaunches)
    return nullptr;
  launches_[different_].uses.clear();
  return &launches_[different_];
}

bool LaunchRow::add(const Launch& launch) {
  const uint32_t size = this->size();
  if (size == mostLaunches || nanoseconds_ > mostNanoseconds)
    return false;
  const auto index = static_cast<uint32_t>(&launch - launches_.data());
  order_[size] = static_cast<uint8_t>(index);
  uint32_t expected = size;
  if (!added_.compare_exchange_strong(expected, size + 1, std::memory_order_release,
                                      std::memory_order_relaxed))
    return false;
  nanoseconds_ += launch.nanoseconds;
  different_ = std::max(different_, index + 1);
  return true;
}

const device::LaunchKernel* LaunchRow::next() {
  if (taken_ == seen_) {
    uint32_t added = added_.load(std::memory_order_acquire);
    if ((added & endedBit) != 0 ||
        (added == taken_ &&
         added_.compare_exchange_strong(added, taken_ | endedBit, std::memory_order_acquire)))
      return nullptr;
    seen_ = added;
  }
  return &launches_[order_[taken_++]].work;
}

void LaunchRow::clear() {
  // One that was made but not added has references, too.
  const uint32_t used = std::min(different_ + 1, mostDifferent);
  for (uint32_t i = 0; i < used; ++i) {
    launches_[i].uses.clear();
    launches_[i].work.executable.reset();
  }
  different_ = taken_ = seen_ = 0;
  nanoseconds_ = 0;
  added_.store(0, std::memory_order_relaxed);
}

} // namespace quern::runtime
