#include "device/address_range.h"

#include <algorithm>
#include <sys/mman.h>

#include "base/pages.h"
#include "base/round_up.h"

namespace quern::device {

namespace {

/// Where what Linux gives processes ends that do not ask for more.
constexpr uint64_t addressEnd = uint64_t{1} << 47;
constexpr int unused = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

void* at(uint64_t address) {
  return reinterpret_cast<void*>(address);
}

} // namespace

bool AddressLease::map() {
  const uint64_t bytes = pages_.bytes();
  void* const data = mmap(at(pages_.begin), bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  isMapped_ = data != MAP_FAILED;
  if (isMapped_ && bytes >= hugePageBytes)
    madvise(data, bytes, MADV_HUGEPAGE);
  return isMapped_;
}

AddressLease::~AddressLease() {
  range_.giveBack(pages_, isMapped_);
}

std::unique_ptr<AddressRange> AddressRange::reserve(ByteRange addresses) {
  // No memory begins at 0, which means no address, and none has no bytes. ThreadSanitizer asks for
  // memory at 0 in the place of what lies beyond all that a process may have.
  if (addresses.begin == 0 || addresses.isEmpty() || addresses.end > addressEnd)
    return nullptr;
  void* const wanted = at(addresses.begin);
  void* const reserved =
      mmap(wanted, addresses.bytes(), PROT_NONE, unused | MAP_FIXED_NOREPLACE, -1, 0);
  if (reserved == MAP_FAILED)
    return nullptr;
  // Systems that do not know the flag take the address for a hint.
  if (reserved != wanted) {
    munmap(reserved, addresses.bytes());
    return nullptr;
  }
  return std::unique_ptr<AddressRange>(new AddressRange(addresses));
}

AddressRange::AddressRange(ByteRange addresses) : addresses_(addresses) {
  leases_.lock()->next = addresses.begin;
}

AddressRange::~AddressRange() {
  munmap(at(addresses_.begin), addresses_.bytes());
}

/// The first place from `from` on for a lease of so many bytes, or 0.
uint64_t AddressRange::findFree(const Leases& leases, uint64_t from, uint64_t bytes) const {
  const uint64_t alignment = bytes >= hugePageBytes ? hugePageBytes : pageBytes;
  const uint64_t length = roundUp(bytes, pageBytes) + pageBytes;
  uint64_t address = roundUp(from, alignment);
  auto next = leases.ends.upper_bound(address);
  if (next != leases.ends.begin())
    address = roundUp(std::max(address, std::prev(next)->second), alignment);
  for (; next != leases.ends.end() && next->first < address + length; ++next)
    address = roundUp(next->second, alignment);
  return address + length <= addresses_.end ? address : 0;
}

Ref<AddressLease> AddressRange::add(Leases& leases, uint64_t address, uint64_t bytes) {
  const ByteRange pages = {address, address + roundUp(bytes, pageBytes)};
  leases.ends.emplace(pages.begin, pages.end + pageBytes);
  return makeRef<AddressLease>(*this, pages);
}

Ref<AddressLease> AddressRange::take(uint64_t bytes) {
  if (bytes == 0 || bytes > addresses_.bytes())
    return nullptr;
  auto leases = leases_.lock();
  uint64_t address = findFree(*leases, leases->next, bytes);
  if (address == 0)
    address = findFree(*leases, addresses_.begin, bytes);
  if (address == 0)
    return nullptr;
  Ref<AddressLease> lease = add(*leases, address, bytes);
  leases->next = lease->pages_.end + pageBytes;
  return lease;
}

Ref<AddressLease> AddressRange::takeAt(uint64_t address, uint64_t bytes) {
  const bool isWithin = address >= addresses_.begin && address < addresses_.end;
  if (!isWithin || address % pageBytes != 0 || bytes == 0 || bytes > addresses_.bytes())
    return nullptr;
  auto leases = leases_.lock();
  return findFree(*leases, address, bytes) == address ? add(*leases, address, bytes) : nullptr;
}

void AddressRange::giveBack(ByteRange pages, bool isMapped) {
  // What cannot be set aside again is not given out again.
  if (isMapped &&
      mmap(at(pages.begin), pages.bytes(), PROT_NONE, unused | MAP_FIXED, -1, 0) == MAP_FAILED)
    return;
  leases_.lock()->ends.erase(pages.begin);
}

} // namespace quern::device
