// Timing several sides of a comparison against each other.
#pragma once

#include "problem.h"

#include <functional>
#include <string>
#include <vector>

namespace quern::bench {

/// One side: a platform, or the host.
struct Side {
  std::string name;
  bool isOffered = true; ///< false where the side has no such thing
  std::function<void()> run = {};
  /// Spoils what an earlier run has left, before a run whose result is checked.
  std::function<void()> spoil = {};
  /// Of the last run's result; empty if it is right.
  std::function<std::string()> check = {};
  /// Of the last run; empty where its result is no picture.
  std::function<Picture()> picture = {};
  std::vector<double> samples = {}; ///< seconds of one run, a sample per round
  std::string error = {};           ///< what went wrong; then the samples mean nothing

  /// The median of the samples, 0 without any.
  double seconds() const;
  bool isMeasured() const { return isOffered && error.empty(); }
};

/// The side that is the `position`th to run in a round.
inline size_t sideAt(size_t position, size_t sides, int round) {
  return round % 2 == 0 ? position : sides - 1 - position;
}

/// Warms each side up: one run that is checked, and more of them for a while. Then takes up to
/// `rounds` samples of each, and checks one more run: a driver may have changed the code by then.
/// Every run of a side must have the same result. In a round all sides run one after the other, so
/// that slow drifts of the machine (clock, memory bandwidth, neighbours) touch all alike; every
/// second round they run in the opposite order, because what ran before a side is felt, too. Short
/// runs are repeated within a sample, after one that does not count: it pays for the change from
/// the side before. A side that has used up its time budget takes no further part once it has a
/// sample; runs that warm up are none.
void measure(std::vector<Side>& sides, int rounds, double budgetSeconds);

} // namespace quern::bench
