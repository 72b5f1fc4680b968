#include "measure.h"

#include "stopwatch.h"
#include "target.h"

#include <algorithm>
#include <cmath>

namespace quern::bench {
namespace {

constexpr double shortestSample =
    2e-3; ///< seconds; well above the clock's resolution and the scheduler's hiccups
constexpr double mostRunsPerSample = 1000;
/// Seconds that a side runs before it is measured. Drivers may compile better code meanwhile.
constexpr double warmUp = 0.2;
/// A run of so many seconds hides what the change from another side costs.
constexpr double longRun = 0.1;

double timeOf(const std::function<void()>& run, size_t times) {
  const Stopwatch stopwatch;
  for (size_t i = 0; i < times; ++i)
    run();
  return stopwatch.seconds() / static_cast<double>(times);
}

/// How a side is sampled.
struct Sampling {
  double runSeconds = 0; ///< of a warm run, about
  double spent = 0;      ///< seconds of its budget

  size_t runsPerSample() const {
    return static_cast<size_t>(
        std::clamp(std::ceil(shortestSample / runSeconds), 1.0, mostRunsPerSample));
  }
};

/// A run whose result is checked. Returns its seconds.
double checkedRun(Side& side) {
  if (side.spoil)
    side.spoil();
  const double seconds = timeOf(side.run, 1);
  if (side.check)
    side.error = side.check();
  return seconds;
}

Sampling warmedUp(Side& side, double budgetSeconds) {
  Sampling sampling{.runSeconds = checkedRun(side)}; // includes what only a first run does
  if (sampling.runSeconds > budgetSeconds) {
    sampling.spent = sampling.runSeconds;
    return sampling;
  }
  const Stopwatch stopwatch;
  do {
    sampling.runSeconds = std::min(sampling.runSeconds, timeOf(side.run, 1));
  } while (stopwatch.seconds() < warmUp);
  return sampling;
}

void takeSample(Side& side, Sampling& sampling) {
  const size_t runs = sampling.runsPerSample();
  // A GPU changes from one platform's context to another's, which takes as long as a dozen short
  // kernels and comes after some sides only.
  if (sampling.runSeconds < longRun)
    side.run();
  side.samples.push_back(timeOf(side.run, runs));
  sampling.spent += side.samples.back() * static_cast<double>(runs);
}

/// Calls step(side, its sampling) for each side that is still measured, in the order of `round`;
/// what it throws is the side's error.
template <typename Step>
void forEachMeasured(std::vector<Side>& sides, std::vector<Sampling>& samplings, Step step,
                     int round = 0) {
  for (size_t position = 0; position < sides.size(); ++position)
    if (const size_t s = sideAt(position, sides.size(), round); sides[s].isMeasured())
      try {
        step(sides[s], samplings[s]);
      } catch (const std::exception& error) {
        sides[s].error = explain(error);
      }
}

} // namespace

double Side::seconds() const {
  if (samples.empty())
    return 0;
  std::vector<double> sorted = samples;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2),
                   sorted.end());
  return sorted[sorted.size() / 2];
}

void measure(std::vector<Side>& sides, int rounds, double budgetSeconds) {
  std::vector<Sampling> samplings(sides.size());
  forEachMeasured(sides, samplings, [&](Side& side, Sampling& sampling) {
    sampling = warmedUp(side, budgetSeconds);
  });
  for (int round = 0; round < rounds; ++round)
    forEachMeasured(
        sides, samplings,
        [&](Side& side, Sampling& sampling) {
          if (side.samples.empty() || sampling.spent <= budgetSeconds)
            takeSample(side, sampling);
        },
        round);
  // By now other code may run than that of the first run.
  forEachMeasured(sides, samplings, [](Side& side, Sampling&) { checkedRun(side); });
}

} // namespace quern::bench
