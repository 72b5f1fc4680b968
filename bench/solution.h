// Time to solution: from a source that no cache has seen to the end of its eleventh launch.
#pragma once

#include "measure.h"
#include "problem.h"

#include <string>

namespace quern::bench {

/// Runs after the first, which is a part of the time as well.
constexpr int laterRuns = 10;

/// Up to `rounds` samples of each side, a side for each target, within its budget but for the
/// first. A sample is the time to build the program, make the kernel and run the variant eleven
/// times; making buffers is left out. Each sample's last result is checked.
std::vector<Side> measureSolutions(const Problem& problem, const std::string& variantName,
                                   std::vector<Target>& targets, int rounds, double budgetSeconds);

} // namespace quern::bench
