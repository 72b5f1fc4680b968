#include "device/address_range.h"

#include <cstring>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace quern::device {
namespace {

constexpr uint64_t page = 4096;

/// Addresses that the system has just shown to be free.
ByteRange freeAddresses(uint64_t bytes) {
  void* const place = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(place, bytes);
  const auto begin = reinterpret_cast<uint64_t>(place);
  return {begin, begin + bytes};
}

TEST(AddressRange, isReservedOnlyWhereNothingIs) {
  const ByteRange wanted = freeAddresses(16 * page);
  const auto range = AddressRange::reserve(wanted);
  ASSERT_NE(range, nullptr);
  EXPECT_EQ(range->addresses(), wanted);
  EXPECT_EQ(AddressRange::reserve({wanted.begin + 15 * page, wanted.end + 15 * page}), nullptr);
}

TEST(AddressRange, isFreeAgainWhenItIsGone) {
  const ByteRange wanted = freeAddresses(16 * page);
  EXPECT_NE(AddressRange::reserve(wanted), nullptr);
  EXPECT_NE(AddressRange::reserve(wanted), nullptr);
}

TEST(AddressRange, isNotReservedWhereTheProcessMayNotHaveIt) {
  EXPECT_EQ(AddressRange::reserve({0, page}), nullptr);
  EXPECT_EQ(AddressRange::reserve({uint64_t{1} << 62, (uint64_t{1} << 62) + page}), nullptr);
}

TEST(AddressRange, leasesAreApartAndComeBack) {
  const auto range = AddressRange::reserve(freeAddresses(8 * page));
  // Each with a page behind it.
  std::vector<Ref<AddressLease>> leases;
  for (int i = 0; i < 4; ++i)
    leases.push_back(range->take(i % 2 ? 1 : page));
  for (size_t i = 0; i < leases.size(); ++i) {
    ASSERT_TRUE(leases[i]);
    EXPECT_EQ(leases[i]->address(), range->addresses().begin + 2 * i * page);
  }
  EXPECT_FALSE(range->take(1));
  const uint64_t second = leases[1]->address();
  leases[1] = nullptr;
  EXPECT_FALSE(range->take(page + 1));
  leases[1] = range->take(1);
  ASSERT_TRUE(leases[1]);
  EXPECT_EQ(leases[1]->address(), second);
}

TEST(AddressRange, addressesAreTakenAgainAsLateAsPossible) {
  const auto range = AddressRange::reserve(freeAddresses(6 * page));
  const uint64_t first = range->take(1)->address();
  const uint64_t second = range->take(1)->address();
  EXPECT_NE(first, second);
  EXPECT_NE(first, range->take(1)->address());
  EXPECT_EQ(first, range->take(1)->address());
}

TEST(AddressRange, whatAnotherProcessHasTakenIsTakenOnce) {
  const auto range = AddressRange::reserve(freeAddresses(8 * page));
  const uint64_t begin = range->addresses().begin;
  const Ref<AddressLease> lease = range->takeAt(begin + 2 * page, 100);
  ASSERT_TRUE(lease);
  EXPECT_EQ(lease->address(), begin + 2 * page);
  EXPECT_FALSE(range->takeAt(begin + 2 * page, 1));
  EXPECT_FALSE(range->takeAt(begin + 3 * page, 1)) << "the page behind it";
  EXPECT_FALSE(range->takeAt(begin + page, 1)) << "its page behind it is the lease's";
  EXPECT_TRUE(range->takeAt(begin + 4 * page, 1));
  // Of another process's mind.
  EXPECT_FALSE(range->takeAt(begin + 6 * page + 1, 1));
  EXPECT_FALSE(range->takeAt(begin - page, 1));
  EXPECT_FALSE(range->takeAt(range->addresses().end, 1));
  EXPECT_FALSE(range->takeAt(begin + 7 * page, 1)) << "no page is behind it";
  EXPECT_FALSE(range->takeAt(begin + 4 * page, UINT64_MAX));
  EXPECT_FALSE(range->takeAt(begin + 4 * page, 0));
}

TEST(AddressRange, memoryIsThereAndZeroEachTime) {
  const auto range = AddressRange::reserve(freeAddresses(2 * page));
  for (int round = 0; round < 2; ++round) {
    const Ref<AddressLease> lease = range->take(page);
    ASSERT_TRUE(lease);
    ASSERT_TRUE(lease->map());
    EXPECT_EQ(lease->data()[page - 1], std::byte(0));
    std::memset(lease->data(), 1, page);
  }
}

TEST(AddressRange, largeMemoryStartsOnAHugePage) {
  constexpr uint64_t huge = 2 << 20;
  const auto range = AddressRange::reserve(freeAddresses(5 * huge));
  const Ref<AddressLease> small = range->take(1), large = range->take(huge);
  ASSERT_TRUE(large);
  EXPECT_EQ(large->address() % huge, 0u);
}

} // namespace
} // namespace quern::device
