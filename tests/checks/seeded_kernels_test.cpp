#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "checks/seeded_kernel.h"

namespace {

namespace fs = std::filesystem;
using quern::tests::SeededKernel;

/// The files of a folder of tests/checks, by name.
std::vector<std::string> filesOf(const std::string& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(QUERN_CHECK_FOLDER) / folder))
    if (entry.path().extension() == ".cl")
      names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

SeededKernel kernelOf(const std::string& folder, const std::string& name) {
  return SeededKernel::read(fs::path(QUERN_CHECK_FOLDER) / folder / (name + ".cl"));
}

/// What LLVM writes as SPIR-V tells no lines.
SeededKernel::Faults withoutLines(const SeededKernel::Faults& faults) {
  SeededKernel::Faults result;
  for (const auto& [line, fault] : faults)
    result.emplace(0, fault);
  return result;
}

bool hasLines() {
  return !std::getenv("QUERN_SPIRV");
}

class FaultyKernel : public testing::TestWithParam<std::string> {};
class CorrectKernel : public testing::TestWithParam<std::string> {};

TEST_P(FaultyKernel, isReportedAtItsLine) {
  const SeededKernel kernel = kernelOf("faults", GetParam());
  ASSERT_FALSE(kernel.faults.empty());
  if (kernel.isSourceOnly && !hasLines())
    GTEST_SKIP() << "what LLVM writes as SPIR-V has no such fault";
  const SeededKernel::Faults found = runChecked(kernel);
  const SeededKernel::Faults expected = hasLines() ? kernel.faults : withoutLines(kernel.faults);
  // Of two accesses that race, both lines are marked, and one is reported.
  if (kernel.faults.begin()->second == "race") {
    EXPECT_FALSE(found.empty());
    EXPECT_TRUE(std::ranges::includes(expected, found)) << testing::PrintToString(found);
  } else {
    EXPECT_EQ(found, expected);
  }
}

TEST_P(CorrectKernel, isNotReported) {
  const SeededKernel kernel = kernelOf("correct", GetParam());
  EXPECT_EQ(runChecked(kernel), SeededKernel::Faults());
}

/// Writes behind the end of its buffer.
SeededKernel writer(const std::string& name) {
  return {.name = name,
          .source = "kernel void " + name + "(global int* out) { out[get_global_id(0)] = 1; }",
          .global = {64},
          .local = {},
          .arguments = {"buffer:128"},
          .faults = {}};
}

TEST(Suppressions, keepWhatAPatternFitsOutOfTheReport) {
  EXPECT_EQ(runChecked(writer("known_writer")), SeededKernel::Faults());
  EXPECT_EQ(runChecked(writer("other_writer")).size(), 1u);
  EXPECT_EQ(runChecked(writer("known_2")).size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Seeded, FaultyKernel, testing::ValuesIn(filesOf("faults")),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(Seeded, CorrectKernel, testing::ValuesIn(filesOf("correct")),
                         [](const auto& info) { return info.param; });

} // namespace
