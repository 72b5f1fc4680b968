#include "devices/cpu/known_memory.h"

#include <iterator>
#include <ranges>
#include <sys/mman.h>

#include "base/sentence.h"
#include "devices/cpu/checks/configured_checks.h"
#include "devices/cpu/faults.h"
#include "devices/cpu/guarded_memory.h"

namespace quern::cpu {

namespace {

/// What is remembered of what was released.
constexpr size_t mostReleased = 4096;
/// What is farther away has nothing to do with the address.
constexpr uint64_t nearBytes = 1 << 20;
constexpr uint64_t firstPage = 4096;

bool isNeeded() {
  static const bool isAsked =
      configuredChecks().any() || guardsMemory() || faultHandling() != FaultHandling::Off;
  return isAsked;
}

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
  if (isNeeded())
    extents_.lock()->live.emplace(address, Extent{bytes});
}

void KnownMemory::remove(uint64_t address) {
  if (!isNeeded())
    return;
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

std::string KnownMemory::describe(uint64_t address) const {
  if (address < firstPage)
    return "which is next to NULL";
  auto extents = extents_.lock();
  const auto next = extents->live.upper_bound(address);
  if (next != extents->live.begin()) {
    const auto& [begin, extent] = *std::prev(next);
    if (address < begin + extent.bytes)
      return sentence("byte ", address - begin, " of a buffer of ", extent.bytes, " bytes");
    if (const uint64_t past = address - begin - extent.bytes; past < nearBytes)
      return sentence(past, " bytes past the end of a buffer of ", extent.bytes, " bytes");
  }
  if (next != extents->live.end() && next->first - address < nearBytes)
    return sentence(next->first - address, " bytes before a buffer of ", next->second.bytes,
                    " bytes");
  return "which is in no buffer, nor near one";
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
