#include "devices/cpu/work_sequence.h"

#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "command_probe.h"

namespace quern::test {
namespace {

using cpu::WorkSequence;

/// Different pieces of work, told apart by their addresses.
const std::vector<device::Work>& pieces() {
  static const std::vector<device::Work> work(64);
  return work;
}

/// Adds a piece, which takes `nanoseconds`; false where the sequence does not take it.
bool add(WorkSequence& sequence, size_t piece, uint64_t nanoseconds = 0) {
  const device::Work& work = pieces()[piece];
  return sequence.repeat(work) || sequence.add(work, nanoseconds);
}

std::vector<const device::Work*> takeAll(WorkSequence& sequence) {
  std::vector<const device::Work*> taken;
  while (const device::Work* work = sequence.next())
    taken.push_back(work);
  return taken;
}

TEST(WorkSequence, GivesWorkInItsOrder) {
  WorkSequence sequence;
  std::vector<const device::Work*> added;
  for (const size_t piece : {1, 1, 2, 1, 3, 4, 5, 6, 1, 1, 6}) {
    added.push_back(&pieces()[piece]);
    EXPECT_TRUE(add(sequence, piece));
  }
  EXPECT_EQ(added, takeAll(sequence));
}

TEST(WorkSequence, TakesNothingOnceItHasEnded) {
  WorkSequence sequence;
  EXPECT_TRUE(add(sequence, 1));
  EXPECT_EQ(std::vector{&pieces()[1]}, takeAll(sequence));
  EXPECT_FALSE(add(sequence, 1));
  EXPECT_FALSE(add(sequence, 2));
  EXPECT_EQ(nullptr, sequence.next());
  sequence.clear();
  EXPECT_TRUE(add(sequence, 2));
  EXPECT_EQ(std::vector{&pieces()[2]}, takeAll(sequence));
}

TEST(WorkSequence, IsFullAtSomeTime) {
  WorkSequence quick, lengthy;
  size_t count = 0;
  while (count < 10'000 && add(quick, 0))
    ++count;
  EXPECT_LT(count, 10'000u);
  EXPECT_EQ(std::vector(count, &pieces()[0]), takeAll(quick));
  for (count = 0; count < 10'000 && add(lengthy, 0, 50'000); ++count) {
  }
  EXPECT_LT(count, 10u);
}

TEST(WorkSequence, SaysWhenEnoughHasComeTogether) {
  WorkSequence sequence;
  size_t told = 0;
  for (int i = 0; i < 91; ++i) {
    EXPECT_TRUE(add(sequence, 0, 950));
    told += sequence.isWorthAThread();
  }
  EXPECT_EQ(9u, told);
}

/// To hand them over costs as much as to run them.
TEST(WorkSequence, TinyPiecesThatDifferAreNotWorthAThread) {
  for (const auto& [nanoseconds, expected] : {std::pair(1000, 0u), std::pair(2000, 4u)}) {
    WorkSequence sequence;
    size_t told = 0;
    for (size_t i = 0; i < 40; ++i) {
      EXPECT_TRUE(sequence.add(pieces()[i], nanoseconds));
      told += sequence.isWorthAThread();
    }
    EXPECT_EQ(expected, told) << nanoseconds;
  }
}

TEST(WorkSequence, GrowsWhileItRuns) {
  for (int round = 0; round < 2000; ++round) {
    WorkSequence sequence;
    EXPECT_TRUE(add(sequence, 0));
    std::vector<const device::Work*> taken, added = {&pieces()[0]};
    std::thread runner([&] { taken = takeAll(sequence); });
    for (size_t i = 1; i < 30 && add(sequence, i % 8); ++i)
      added.push_back(&pieces()[i % 8]);
    runner.join();
    EXPECT_EQ(added, taken);
  }
}

TEST(WorkSequence, OnlyTheLatestPiecesAreRepeated) {
  WorkSequence sequence;
  EXPECT_FALSE(sequence.repeat(pieces()[0]));
  for (size_t piece = 0; piece < 8; ++piece)
    EXPECT_TRUE(add(sequence, piece));
  EXPECT_TRUE(sequence.repeat(pieces()[7]));
  EXPECT_TRUE(sequence.repeat(pieces()[4]));
  EXPECT_FALSE(sequence.repeat(pieces()[0]));
  EXPECT_EQ(10u, takeAll(sequence).size());
}

TEST(WorkSequence, BelongsToACommandFromTheFirstPieceOn) {
  CommandProbe fixed, growing, ended;
  growing.mayGrow = ended.mayGrow = true;
  EXPECT_EQ(nullptr, cpu::appendedTo(fixed));
  WorkSequence sequence, late;
  EXPECT_EQ(nullptr, cpu::sequenceOf(growing));
  EXPECT_TRUE(cpu::begin(growing, sequence));
  EXPECT_FALSE(cpu::begin(growing, late));
  EXPECT_EQ(&sequence, cpu::sequenceOf(growing));
  EXPECT_EQ(&sequence, cpu::appendedTo(growing));
  // Nothing was appended before the command's own work had ended.
  EXPECT_EQ(nullptr, cpu::appendedTo(ended));
  EXPECT_FALSE(cpu::begin(ended, late));
  EXPECT_EQ(nullptr, cpu::sequenceOf(ended));
  EXPECT_EQ(nullptr, cpu::appendedTo(ended));
}

} // namespace
} // namespace quern::test
