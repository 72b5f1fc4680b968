// The comparisons that the gallery's verdicts rest on must notice what is wrong.
#include "common/gallery.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <stdexcept>

namespace {

TEST(Checks, AcceptWhatLiesWithinTheTolerance) {
  EXPECT_TRUE(gallery::closeTo({1.0f, -2.0f}, {1.05, -2.05}, 0.1).ok);
}

TEST(Checks, RejectWhatLiesBeyondTheTolerance) {
  const gallery::Check check = gallery::closeTo({1.0f, -2.0f}, {1.0, -2.2}, 0.1);
  EXPECT_FALSE(check.ok);
  EXPECT_NE(check.detail.find("element 1"), std::string::npos) << check.detail;
}

TEST(Checks, RejectNotANumber) {
  EXPECT_FALSE(gallery::closeTo({std::nanf("")}, {0.0}, 1e30).ok);
}

TEST(Checks, RejectMissingValues) {
  EXPECT_FALSE(gallery::closeTo({}, {0.0}, 1.0).ok);
  EXPECT_FALSE(gallery::equal<int>({1, 2}, {1}).ok);
}

TEST(Checks, NameTheElementThatDiffers) {
  EXPECT_EQ(gallery::equal<int>({1, 2, 4}, {1, 2, 3}).detail, "element 2 is 4, expected 3");
}

gallery::CommandLine lineOf(std::vector<const char*> words) {
  words.insert(words.begin(), "program");
  return gallery::CommandLine(static_cast<int>(words.size()), const_cast<char**>(words.data()), "",
                              {{"size", "1Ki,16Mi", "", "7"}});
}

TEST(CommandLine, UnderstandsSuffixesAndLists) {
  EXPECT_EQ(lineOf({}).numbers("size"), (std::vector<size_t>{1024, 16 << 20}));
  EXPECT_EQ(lineOf({"--size", "3,64Ki"}).numbers("size"), (std::vector<size_t>{3, 64 << 10}));
}

TEST(CommandLine, TakesTheToursValueUnlessOneIsGiven) {
  EXPECT_EQ(lineOf({"--tour"}).number("size"), 7u);
  EXPECT_EQ(lineOf({"--tour", "--size", "9"}).number("size"), 9u);
}

TEST(CommandLine, RejectsWhatItDoesNotKnow) {
  EXPECT_THROW(lineOf({"--length", "3"}), std::invalid_argument);
  EXPECT_THROW(lineOf({"--size"}), std::invalid_argument);
  EXPECT_THROW(lineOf({"--size", "-3"}).number("size"), std::invalid_argument);
  EXPECT_THROW(lineOf({"--size", "3k"}).number("size"), std::invalid_argument);
}

TEST(Host, AllCoresTogetherVisitEachElementOnce) {
  std::vector<std::atomic<int>> visits(1003);
  gallery::onAllCores(visits.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      ++visits[i];
  });
  for (const std::atomic<int>& count : visits)
    EXPECT_EQ(count, 1);
}

} // namespace
