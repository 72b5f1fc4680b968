#include "devices/cpu/checks/access_history.h"

#include <gtest/gtest.h>

namespace {

using quern::cpu::Access;
using quern::cpu::AccessHistory;

const char site[] = "site";
constexpr uint32_t epoch = 1;

Access read(uint16_t item) {
  return {.site = site, .group = 0, .item = item, .mask = 0b1111};
}

Access write(uint16_t item) {
  Access access = read(item);
  access.isWrite = true;
  return access;
}

TEST(AccessHistory, onlyAnotherWorkItemIsARace) {
  AccessHistory history;
  EXPECT_FALSE(history.add(write(1), epoch));
  EXPECT_FALSE(history.add(read(1), epoch));
  const std::optional<Access> other = history.add(read(2), epoch);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->item, 1);
  EXPECT_TRUE(other->isWrite);
  EXPECT_EQ(other->site, site);
}

TEST(AccessHistory, readsDoNoHarm) {
  AccessHistory history;
  for (uint16_t item = 0; item < 4; ++item)
    EXPECT_FALSE(history.add(read(item), epoch));
}

TEST(AccessHistory, theLastReaderIsNotTheOnlyOne) {
  AccessHistory history;
  EXPECT_FALSE(history.add(read(1), epoch));
  EXPECT_FALSE(history.add(read(2), epoch));
  EXPECT_TRUE(history.add(write(1), epoch));
  AccessHistory own;
  EXPECT_FALSE(own.add(read(1), epoch));
  EXPECT_FALSE(own.add(write(1), epoch));
}

TEST(AccessHistory, aBarrierOrdersAGroupAndNoOther) {
  AccessHistory history;
  EXPECT_FALSE(history.add(write(1), epoch));
  Access later = read(2);
  later.interval = 1;
  EXPECT_FALSE(history.add(later, epoch));
  later.group = 1;
  EXPECT_TRUE(history.add(later, epoch));
}

TEST(AccessHistory, anAtomicOperationDoesNotHideAWrite) {
  AccessHistory history;
  Access exchange = write(1);
  exchange.isAtomic = true;
  EXPECT_FALSE(history.add(write(1), epoch));
  EXPECT_FALSE(history.add(exchange, epoch));
  exchange.item = 2;
  EXPECT_TRUE(history.add(exchange, epoch));
  // Nor does a barrier within the group hide it from others.
  AccessHistory ofGroups;
  EXPECT_FALSE(ofGroups.add(write(1), epoch));
  exchange.interval = 1;
  EXPECT_FALSE(ofGroups.add(exchange, epoch));
  exchange.group = 1;
  EXPECT_TRUE(ofGroups.add(exchange, epoch));
}

TEST(AccessHistory, othersBytesDoNotMatter) {
  AccessHistory history;
  Access low = write(1), high = write(2);
  low.mask = 0b0011;
  high.mask = 0b1100;
  EXPECT_FALSE(history.add(low, epoch));
  EXPECT_FALSE(history.add(high, epoch));
}

TEST(AccessHistory, atomicAccessesMayMeet) {
  AccessHistory history;
  Access atomic = write(1);
  atomic.isAtomic = true;
  EXPECT_FALSE(history.add(atomic, epoch));
  atomic.item = 2;
  EXPECT_FALSE(history.add(atomic, epoch));
  EXPECT_TRUE(history.add(read(3), epoch));
}

TEST(AccessHistory, theSameNumberDoesNoHarm) {
  AccessHistory history;
  Access same = write(1);
  same.value = 5;
  same.hasValue = true;
  EXPECT_FALSE(history.add(same, epoch));
  same.item = 2;
  EXPECT_FALSE(history.add(same, epoch));
  same.value = 6;
  same.item = 3;
  EXPECT_TRUE(history.add(same, epoch));
}

TEST(AccessHistory, whatIsWrittenTwiceIsNoOneNumber) {
  AccessHistory history;
  Access access = write(1);
  access.hasValue = true;
  access.value = 5;
  EXPECT_FALSE(history.add(access, epoch));
  access.value = 6;
  EXPECT_FALSE(history.add(access, epoch));
  access.item = 2;
  EXPECT_TRUE(history.add(access, epoch));
}

TEST(AccessHistory, severalAtomicsStandForOneMore) {
  AccessHistory history;
  Access atomic = write(1);
  atomic.isAtomic = true;
  EXPECT_FALSE(history.add(atomic, epoch));
  EXPECT_FALSE(history.standsFor(atomic));
  atomic.item = 2;
  EXPECT_FALSE(history.add(atomic, epoch));
  EXPECT_EQ(history.standsFor(atomic), quern::abi::tokenOfAtomics);
  EXPECT_TRUE(history.add(read(2), epoch)) << "the last one was not the only one";
}

TEST(AccessHistory, aReadStandsForThoseOfItsWorkItemAndSeveralForAll) {
  AccessHistory history;
  EXPECT_FALSE(history.add(read(3), epoch));
  EXPECT_EQ(history.standsFor(read(3)), 3u << quern::abi::tokenItemShift);
  EXPECT_FALSE(history.add(read(4), epoch));
  EXPECT_EQ(history.standsFor(read(4)), quern::abi::tokenOfReads);
}

TEST(AccessHistory, readersThatWereNotToldCount) {
  AccessHistory history;
  EXPECT_FALSE(history.add(read(3), epoch));
  history.addReaders();
  EXPECT_TRUE(history.add(write(3), epoch));
}

TEST(AccessHistory, partOfTheBytesStandsForNothing) {
  AccessHistory history;
  Access byte = write(1);
  byte.mask = 0b0001;
  EXPECT_FALSE(history.add(byte, epoch));
  EXPECT_FALSE(history.standsFor(byte));
}

TEST(AccessHistory, aSecondWriteIsNewsUntilItDiffers) {
  using enum quern::abi::AccessTokenKind;
  const auto token = [](quern::abi::AccessTokenKind kind) {
    return 1u << quern::abi::tokenItemShift | static_cast<uint32_t>(kind);
  };
  AccessHistory history;
  Access access = write(1);
  access.hasValue = true;
  EXPECT_FALSE(history.add(access, epoch));
  EXPECT_EQ(history.standsFor(access), token(WrittenOnce));
  access.value = 1;
  EXPECT_FALSE(history.add(access, epoch));
  EXPECT_EQ(history.standsFor(access), token(OwnAccesses));
}

TEST(AccessHistory, anotherLaunchBeginsAnew) {
  AccessHistory history;
  EXPECT_FALSE(history.add(write(1), epoch));
  EXPECT_FALSE(history.add(read(2), epoch + 1));
}

TEST(AccessHistory, fencesAreNotFollowed) {
  AccessHistory history;
  EXPECT_FALSE(history.add(write(1), epoch));
  Access fenced = read(2);
  fenced.isFenced = true;
  EXPECT_FALSE(history.add(fenced, epoch));
}

} // namespace
