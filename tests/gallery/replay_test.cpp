// Graphs of CUDA commands, with functions that only count.
#include "bench/cuda/replay.h"

#include <gtest/gtest.h>

namespace quern::bench::cuda {
namespace {

using Error = Replay::Error;
using Stream = Replay::Stream;

int captures, launches, living, issued;

GraphApi countingApi() {
  captures = launches = living = issued = 0;
  static char graph, executable;
  return {.beginCapture = [](Stream, int) { return Error::Success; },
          .endCapture =
              [](Stream, GraphObject** made) {
                ++captures;
                *made = reinterpret_cast<GraphObject*>(&graph);
                return Error::Success;
              },
          .instantiate =
              [](GraphExecObject** made, GraphObject*, unsigned long long) {
                ++living;
                *made = reinterpret_cast<GraphExecObject*>(&executable);
                return Error::Success;
              },
          .launch =
              [](GraphExecObject*, Stream) {
                ++launches;
                return Error::Success;
              },
          .destroy = [](GraphObject*) { return Error::Success; },
          .destroyExec =
              [](GraphExecObject*) {
                --living;
                return Error::Success;
              }};
}

Replay::Command command(int number, Error result = Error::Success) {
  return {{static_cast<std::byte>(number)}, [result](Stream) {
            ++issued;
            return result;
          }};
}

Error run(Replay& replay, std::initializer_list<int> numbers) {
  for (const int number : numbers)
    replay.add(command(number));
  return replay.flush(nullptr);
}

TEST(Replay, LaunchesTheSameCommandsAgain) {
  const GraphApi api = countingApi();
  {
    Replay replay(api);
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(Error::Success, run(replay, {1, 2}));
    EXPECT_EQ(1, captures);
    EXPECT_EQ(2, issued); // while the graph was made
    EXPECT_EQ(3, launches);
    EXPECT_EQ(1, living);
  }
  EXPECT_EQ(0, living);
}

TEST(Replay, CapturesOtherCommandsAnew) {
  const GraphApi api = countingApi();
  Replay replay(api);
  run(replay, {1, 2});
  run(replay, {1, 3});
  run(replay, {1, 3, 4});
  run(replay, {1, 3});
  EXPECT_EQ(4, captures);
  EXPECT_EQ(4, launches);
  EXPECT_EQ(1, living);
}

TEST(Replay, IssuesASingleCommandAsItIs) {
  const GraphApi api = countingApi();
  Replay replay(api);
  run(replay, {1});
  run(replay, {});
  EXPECT_EQ(1, issued);
  EXPECT_EQ(0, captures);
  EXPECT_EQ(0, launches);
}

TEST(Replay, GivesTheErrorOfACommandAndGoesOn) {
  const GraphApi api = countingApi();
  Replay replay(api);
  replay.add(command(1, Error::InvalidValue));
  replay.add(command(2));
  EXPECT_EQ(Error::InvalidValue, replay.flush(nullptr));
  EXPECT_EQ(0, launches);
  EXPECT_EQ(Error::Success, run(replay, {1, 2}));
  EXPECT_EQ(1, launches);
}

} // namespace
} // namespace quern::bench::cuda
