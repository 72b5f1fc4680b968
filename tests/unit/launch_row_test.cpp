#include "runtime/launch_row.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace quern::test {
namespace {

using runtime::LaunchRow;

/// Adds launch number `version`; false where the row does not take it.
bool add(LaunchRow& row, uint32_t version, uint64_t nanoseconds = 0) {
  const device::NdRange range = {.global = {64, 1, 1}};
  if (const LaunchRow::Launch* known = row.find(version, range))
    return row.add(*known);
  LaunchRow::Launch* const fresh = row.fresh();
  if (!fresh)
    return false;
  fresh->version = version;
  fresh->nanoseconds = nanoseconds;
  fresh->work.kernel = version;
  fresh->work.range = range;
  return row.add(*fresh);
}

std::vector<uint32_t> takeAll(LaunchRow& row) {
  std::vector<uint32_t> taken;
  while (const device::LaunchKernel* launch = row.next())
    taken.push_back(launch->kernel);
  return taken;
}

TEST(LaunchRow, GivesLaunchesInTheirOrder) {
  LaunchRow row;
  const std::vector<uint32_t> versions = {1, 1, 2, 1, 3, 4, 5, 6, 1, 1, 6};
  for (const uint32_t version : versions)
    EXPECT_TRUE(add(row, version));
  EXPECT_EQ(versions, takeAll(row));
}

TEST(LaunchRow, TheSameLaunchIsOneObject) {
  LaunchRow row;
  for (const uint32_t version : {1, 2, 1})
    EXPECT_TRUE(add(row, version));
  const device::LaunchKernel* const first = row.next();
  EXPECT_NE(first, row.next());
  EXPECT_EQ(first, row.next());
}

TEST(LaunchRow, AnotherRangeIsAnotherLaunch) {
  LaunchRow row;
  EXPECT_TRUE(add(row, 1));
  EXPECT_EQ(nullptr, row.find(1, {.global = {65, 1, 1}}));
  EXPECT_EQ(nullptr, row.find(1, {.offset = {1, 0, 0}, .global = {64, 1, 1}}));
  EXPECT_NE(nullptr, row.find(1, {.global = {64, 1, 1}}));
}

TEST(LaunchRow, TakesNothingOnceItHasEnded) {
  LaunchRow row;
  EXPECT_TRUE(add(row, 1));
  EXPECT_EQ(std::vector<uint32_t>{1}, takeAll(row));
  EXPECT_FALSE(add(row, 1));
  EXPECT_FALSE(add(row, 2));
  EXPECT_EQ(nullptr, row.next());
  row.clear();
  EXPECT_TRUE(add(row, 2));
  EXPECT_EQ(std::vector<uint32_t>{2}, takeAll(row));
}

TEST(LaunchRow, IsFullAtSomeTime) {
  LaunchRow different, same, lengthy;
  uint32_t count = 0;
  while (count < 10'000 && add(different, count))
    ++count;
  EXPECT_LT(count, 10'000u);
  EXPECT_EQ(count, takeAll(different).size());
  for (count = 0; count < 10'000 && add(same, 1); ++count) {
  }
  EXPECT_LT(count, 10'000u);
  EXPECT_EQ(std::vector<uint32_t>(count, 1), takeAll(same));
  for (count = 0; count < 10'000 && add(lengthy, 1, 50'000); ++count) {
  }
  EXPECT_LT(count, 10u);
}

TEST(LaunchRow, KeepsWhatItUsesUntilItIsCleared) {
  class Object : public RefCounted {
  public:
    explicit Object(int& counter) : living(counter) { ++living; }
    ~Object() override { --living; }
    int& living;
  };
  int living = 0;
  LaunchRow row;
  EXPECT_TRUE(add(row, 1));
  // This one is made but not added.
  for (int i = 0; i < 5; ++i)
    row.fresh()->uses.add(makeRef<Object>(living));
  EXPECT_EQ(1, living);
  row.clear();
  EXPECT_EQ(0, living);
}

TEST(LaunchRow, GrowsWhileItRuns) {
  for (uint32_t round = 0; round < 2000; ++round) {
    LaunchRow row;
    EXPECT_TRUE(add(row, 0));
    std::vector<uint32_t> taken;
    std::thread runner([&] { taken = takeAll(row); });
    std::vector<uint32_t> added = {0};
    for (uint32_t version = 1; version < 30 && add(row, version); ++version)
      added.push_back(version);
    runner.join();
    EXPECT_EQ(added, taken);
  }
}

} // namespace
} // namespace quern::test
