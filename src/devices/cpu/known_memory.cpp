#include "devices/cpu/known_memory.h"

#include <algorithm>
#include <cstring>
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

uint64_t writtenBytes(uint64_t bytes) {
  return bytes + 2 * abi::tokenSlack;
}

/// Null where there is no memory for that: then nothing is found.
std::byte* makeWritten(uint64_t bytes) {
  // Pages that are not touched take no memory.
  void* const memory = mmap(nullptr, writtenBytes(bytes), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory) + abi::tokenSlack;
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

void KnownMemory::add(uint64_t address, uint64_t bytes, bool isUnwritten) {
  if (!isNeeded())
    return;
  Extent extent = {.bytes = bytes};
  if (isUnwritten && configuredChecks().has(abi::Check::Uninitialised))
    extent.written = makeWritten(bytes);
  if (extent.written)
    unwritten_.fetch_add(1, std::memory_order_relaxed);
  extents_.lock()->live.emplace(address, extent);
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
  if (found->second.written) {
    munmap(found->second.written - abi::tokenSlack, writtenBytes(found->second.bytes));
    unwritten_.fetch_sub(1, std::memory_order_relaxed);
  }
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

std::pair<uint64_t, uint64_t> KnownMemory::gapAround(uint64_t address) const {
  auto extents = extents_.lock();
  const auto after = extents->live.upper_bound(address);
  uint64_t begin = 0;
  if (after != extents->live.begin()) {
    const auto before = std::prev(after);
    begin = before->first + before->second.bytes;
  }
  return {begin, after == extents->live.end() ? UINT64_MAX : after->first};
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

std::span<std::byte> KnownMemory::writtenFrom(Extents& extents, uint64_t address) {
  auto after = extents.live.upper_bound(address);
  if (after == extents.live.begin())
    return {};
  const auto& [begin, extent] = *--after;
  if (!extent.written || address - begin >= extent.bytes)
    return {};
  return {extent.written + (address - begin), extent.bytes - (address - begin)};
}

std::byte* KnownMemory::writtenAt(uint64_t address) {
  if (!isAnyUnwritten())
    return nullptr;
  auto extents = extents_.lock();
  const std::span<std::byte> written = writtenFrom(*extents, address);
  // Kernels that run beside this may still write there, so that it is kept.
  const bool isAll = written.empty() || !std::memchr(written.data(), 0, written.size());
  return isAll ? nullptr : written.data();
}

void KnownMemory::noteWritten(uint64_t address, uint64_t bytes) {
  if (!isAnyUnwritten())
    return;
  auto extents = extents_.lock();
  const std::span<std::byte> written = writtenFrom(*extents, address);
  if (!written.empty())
    std::memset(written.data(), 0xff, std::min<uint64_t>(bytes, written.size()));
}

void KnownMemory::noteCopied(uint64_t to, uint64_t from, uint64_t bytes) {
  if (!isAnyUnwritten())
    return;
  auto extents = extents_.lock();
  const std::span<std::byte> written = writtenFrom(*extents, to);
  const std::span<std::byte> source = writtenFrom(*extents, from);
  if (written.empty())
    return;
  const uint64_t room = std::min<uint64_t>(bytes, written.size());
  if (source.empty())
    std::memset(written.data(), 0xff, room);
  else
    std::memmove(written.data(), source.data(), std::min<uint64_t>(room, source.size()));
}

} // namespace quern::cpu
