// The tour must end with a failure whatever way a program fails.
#include "tour/process.h"
#include "tour/table.h"

#include <gtest/gtest.h>

namespace {

using tour::Outcome;
using tour::Table;

const std::string heldRow = "row\tzoom\tdevice\t64\t0.1\t3 frame/s\tok\terror 0\n";
const std::string failedRow = "row\tzoom\tdevice\t64\t0.1\t3 frame/s\tFAILED\telement 1 is 2\n";
const std::string referenceRow = "row\tzoom\tdevice\t64\t0.1\t-\treference\t\n";

bool allHeld(const std::vector<Outcome>& outcomes) {
  Table table;
  for (const Outcome& outcome : outcomes)
    table.addProgram("zoom", "device", outcome);
  return table.allHeld();
}

TEST(Tour, HoldsWhenEveryRowHolds) {
  EXPECT_TRUE(allHeld({{"some words\n" + heldRow + referenceRow + heldRow, "", 1}}));
}

TEST(Tour, FailsWithARowThatFailed) {
  EXPECT_FALSE(allHeld({{heldRow + failedRow, "ended with the exit code 1", 1}}));
  EXPECT_FALSE(allHeld({{failedRow, "", 1}}));
}

TEST(Tour, FailsWhenAProgramCrashedAfterItsRows) {
  EXPECT_FALSE(allHeld({{heldRow, "crashed: Segmentation fault", 1}, {heldRow, "", 1}}));
}

TEST(Tour, FailsWhenAProgramPrintedNoRow) {
  EXPECT_FALSE(allHeld({{heldRow, "", 1}, {"nothing\n", "", 1}}));
}

TEST(Tour, FailsWhenNothingWasChecked) {
  EXPECT_FALSE(allHeld({}));
  EXPECT_FALSE(allHeld({{referenceRow, "", 1}}));
}

TEST(Process, CollectsTheOutput) {
  const Outcome outcome = tour::runProcess({"/bin/sh", "-c", "echo one; echo two >&2"}, 60);
  EXPECT_EQ(outcome.output, "one\ntwo\n");
  EXPECT_EQ(outcome.failure, "");
}

TEST(Process, ReportsExitCodesAndSignals) {
  EXPECT_EQ(tour::runProcess({"/bin/sh", "-c", "exit 3"}, 60).failure,
            "ended with the exit code 3");
  EXPECT_EQ(tour::runProcess({"/bin/sh", "-c", "kill -SEGV $$"}, 60).failure,
            "crashed: Segmentation fault");
  EXPECT_EQ(tour::runProcess({"/no/such/program"}, 60).failure, "ended with the exit code 127");
}

TEST(Process, EndsWhatDoesNotEnd) {
  EXPECT_EQ(tour::runProcess({"/bin/sh", "-c", "exec cat /dev/zero >/dev/null"}, 0).failure,
            "did not end in 0 s");
}

} // namespace
