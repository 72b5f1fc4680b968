#include "devices/cpu/memory.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <sys/mman.h>

#include "base/pages.h"
#include "base/round_up.h"
#include "devices/cpu/guarded_memory.h"
#include "devices/cpu/known_memory.h"

namespace quern::cpu {

namespace {

/// From this size on memory is mapped, so that it goes back to the system when it is freed.
constexpr uint64_t mapThreshold = 256 << 10;

class HostAllocation : public device::Allocation {
public:
  HostAllocation(std::byte* data, uint64_t bytes, bool isUnwritten) : Allocation(data, bytes) {
    KnownMemory::get().add(address(), bytes, isUnwritten);
  }
  ~HostAllocation() override { KnownMemory::get().remove(address()); }

  void noteOtherWriters() override { KnownMemory::get().noteWritten(address(), bytes()); }
};

class HeapAllocation final : public HostAllocation {
public:
  HeapAllocation(std::byte* data, uint64_t bytes, bool isUnwritten, Ledger& ledger)
      : HostAllocation(data, bytes, isUnwritten), ledger_(ledger) {}
  ~HeapAllocation() override {
    std::free(hostPointer());
    ledger_.giveBack(bytes());
  }

private:
  Ledger& ledger_;
};

class MappedAllocation final : public HostAllocation {
public:
  MappedAllocation(std::byte* data, uint64_t bytes, bool isUnwritten, Ledger& ledger)
      : HostAllocation(data, bytes, isUnwritten), ledger_(ledger) {}
  ~MappedAllocation() override {
    munmap(hostPointer() - margin, margin + roundUp(bytes(), pageBytes) + margin);
    ledger_.giveBack(bytes());
  }

private:
  Ledger& ledger_;
};

/// At an address that was asked for.
class PlacedAllocation final : public HostAllocation {
public:
  PlacedAllocation(Ref<device::AddressLease> place, uint64_t bytes, Ledger& ledger)
      : HostAllocation(place->data(), bytes, /*isUnwritten=*/false), place_(std::move(place)),
        ledger_(ledger) {}
  ~PlacedAllocation() override { ledger_.giveBack(bytes()); }

private:
  const Ref<device::AddressLease> place_;
  Ledger& ledger_;
};

std::byte* map(uint64_t bytes) {
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return data == MAP_FAILED ? nullptr : static_cast<std::byte*>(data);
}

/// Maps whole pages between margins; large mappings start on a huge page's border.
std::byte* mapAligned(uint64_t bytes) {
  const uint64_t pages = roundUp(bytes, pageBytes), length = margin + pages + margin;
  std::byte* const data = bytes < hugePageBytes ? nullptr : map(length + hugePageBytes);
  if (!data) { // there may be just enough without the border
    std::byte* const anywhere = map(length);
    return anywhere ? anywhere + margin : nullptr;
  }
  const uint64_t address = reinterpret_cast<uint64_t>(data) + margin;
  const uint64_t before = roundUp(address, hugePageBytes) - address;
  const uint64_t after = hugePageBytes - before;
  if (before > 0)
    munmap(data, before);
  if (after > 0)
    munmap(data + before + length, after);
  std::byte* const aligned = data + before + margin;
  madvise(aligned, pages, MADV_HUGEPAGE);
  return aligned;
}

Status noMemory(const device::AllocationRequest& request, Ledger& ledger) {
  const int error = errno;
  ledger.giveBack(request.bytes);
  return Status::error(CL_MEM_OBJECT_ALLOCATION_FAILURE,
                       "the system has no memory for an allocation of " +
                           std::to_string(request.bytes) + " bytes",
                       error);
}

} // namespace

bool Ledger::take(uint64_t bytes) {
  uint64_t used = used_.load(std::memory_order_relaxed);
  do {
    if (bytes > limit_ - used)
      return false;
  } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  return true;
}

Result<Ref<device::Allocation>> allocate(const device::AllocationRequest& request, Ledger& ledger) {
  if (request.hostMemory)
    return Ref<device::Allocation>(
        makeRef<HostAllocation>(request.hostMemory, request.bytes, /*isUnwritten=*/false));
  if (!ledger.take(request.bytes))
    return Status::error(CL_MEM_OBJECT_ALLOCATION_FAILURE,
                         "an allocation of " + std::to_string(request.bytes) +
                             " bytes is too large: " + std::to_string(ledger.used()) + " of " +
                             std::to_string(ledger.limit()) + " bytes are in use");
  if (request.place) {
    if (!request.place->map())
      return noMemory(request, ledger);
    return Ref<device::Allocation>(makeRef<PlacedAllocation>(request.place, request.bytes, ledger));
  }
  if (guardsMemory())
    return allocateGuarded(request.bytes, ledger);
  const bool mapped = request.bytes >= mapThreshold;
  std::byte* const data =
      mapped ? mapAligned(request.bytes)
             : static_cast<std::byte*>(std::aligned_alloc(
                   allocationAlignment, roundUp(request.bytes, allocationAlignment)));
  if (!data)
    return noMemory(request, ledger);
  if (mapped)
    return Ref<device::Allocation>(
        makeRef<MappedAllocation>(data, request.bytes, request.isUnwritten, ledger));
  return Ref<device::Allocation>(
      makeRef<HeapAllocation>(data, request.bytes, request.isUnwritten, ledger));
}

std::byte* hostAddress(const device::Place& place) {
  return place.allocation ? place.allocation->hostPointer() + place.offset
                          : place.host + place.offset;
}

} // namespace quern::cpu
