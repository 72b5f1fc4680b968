#include "devices/cpu/checks/known_memory.h"

#include <ranges>
#include <sys/mman.h>

namespace quern::cpu {

namespace {

/// What is remembered of what was released.
constexpr size_t mostReleased = 4096;

uint64_t historyBytes(uint64_t bytes) {
  return (bytes / AccessHistory::bytes + 1) * sizeof(AccessHistory);
}

bool holds(const abi::MemoryExtent& extent, uint64_t address) {
  return address >= extent.begin && address - extent.begin < extent.bytes;
}

} // namespace

KnownMemory& KnownMemory::get() {
  // Never destroyed: memory may be released while static destructors run.
  static KnownMemory* const memory = new KnownMemory;
  return *memory;
}

void KnownMemory::add(uint64_t address, uint64_t bytes) {
  extents_.lock()->live.emplace(address, Extent{bytes});
}

void KnownMemory::remove(uint64_t address) {
  auto extents = extents_.lock();
  const auto found = extents->live.find(address);
  if (found == extents->live.end())
    return;
  if (extents->released.size() == mostReleased)
    extents->released.erase(extents->released.begin(),
                            extents->released.begin() + mostReleased / 2);
  extents->released.push_back({found->first, found->second.bytes});
  if (found->second.histories)
    munmap(found->second.histories, historyBytes(found->second.bytes));
  extents->live.erase(found);
}

std::optional<abi::MemoryExtent> KnownMemory::find(uint64_t address) const {
  auto extents = extents_.lock();
  auto after = extents->live.upper_bound(address);
  if (after == extents->live.begin())
    return std::nullopt;
  --after;
  if (address - after->first > after->second.bytes)
    return std::nullopt;
  return abi::MemoryExtent{after->first, after->second.bytes};
}

std::optional<abi::MemoryExtent> KnownMemory::findReleased(uint64_t address) const {
  auto extents = extents_.lock();
  for (const abi::MemoryExtent& extent : extents->released | std::views::reverse)
    if (holds(extent, address))
      return extent;
  return std::nullopt;
}

AccessHistory* KnownMemory::historiesOf(uint64_t address) {
  auto extents = extents_.lock();
  const auto found = extents->live.find(address);
  if (found == extents->live.end())
    return nullptr;
  Extent& extent = found->second;
  if (!extent.histories) {
    // Pages that no kernel touches take no memory. All zeros is an empty history.
    void* const memory = mmap(nullptr, historyBytes(extent.bytes), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED)
      extent.histories = static_cast<AccessHistory*>(memory);
  }
  return extent.histories;
}

} // namespace quern::cpu
