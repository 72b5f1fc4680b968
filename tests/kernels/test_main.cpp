#include <cstdio>
#include <exception>
#include <unistd.h>

#include <gtest/gtest.h>

#include "kernels/child_process.h"

namespace {

/// Ends the program when one test hangs, so that the run goes on with the next.
class TimeLimit : public testing::EmptyTestEventListener {
  static constexpr unsigned secondsEachTest = 300;
  void OnTestStart(const testing::TestInfo&) override { alarm(secondsEachTest); }
  void OnTestEnd(const testing::TestInfo&) override { alarm(0); }
};

int runChildBody(int count, char** words) {
  quern::tests::ChildMain body = quern::tests::findChild(words[2]);
  if (!body) {
    std::fprintf(stderr, "no child is named %s\n", words[2]);
    return 126;
  }
  try {
    return body(std::vector<std::string>(words + 3, words + count));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 125;
  }
}

} // namespace

int main(int argc, char** argv) {
  if (argc > 2 && std::string_view(argv[1]) == "--child")
    return runChildBody(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new TimeLimit);
  return RUN_ALL_TESTS();
}
