#include "measure.h"

#include "target.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace quern::bench {
namespace {

constexpr double shortestSample =
    2e-3; ///< seconds; well above the clock's resolution and the scheduler's hiccups
constexpr double mostRunsPerSample = 1000;
/// Seconds that a side runs before it is measured. Drivers may compile better code meanwhile.
constexpr double warmUp = 0.2;

double timeOf(const std::function<void()>& run, size_t times) {
  const auto start = std::chrono::steady_clock::now();
  for (size_t i = 0; i < times; ++i)
    run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() /
         static_cast<double>(times);
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
  std::vector<size_t> runsPerSample(sides.size(), 1);
  std::vector<double> spent(sides.size(), 0);
  for (size_t s = 0; s < sides.size(); ++s) {
    Side& side = sides[s];
    if (!side.isMeasured())
      continue;
    try {
      const double first = timeOf(side.run, 1); // includes what only a first run does
      side.error = side.check();
      if (first > budgetSeconds) {
        side.samples.push_back(first);
        spent[s] = first;
        continue;
      }
      const auto start = std::chrono::steady_clock::now();
      double second = timeOf(side.run, 1);
      while (std::chrono::steady_clock::now() - start < std::chrono::duration<double>(warmUp))
        second = std::min(second, timeOf(side.run, 1));
      runsPerSample[s] = static_cast<size_t>(
          std::clamp(std::ceil(shortestSample / second), 1.0, mostRunsPerSample));
    } catch (const std::exception& error) {
      side.error = explain(error);
    }
  }
  for (int round = 0; round < rounds; ++round)
    for (size_t s = 0; s < sides.size(); ++s) {
      Side& side = sides[s];
      if (!side.isMeasured() || spent[s] > budgetSeconds)
        continue;
      try {
        // A GPU changes from one platform's context to another's, which takes as long as a dozen
        // short kernels and comes after some sides only.
        side.run();
        side.samples.push_back(timeOf(side.run, runsPerSample[s]));
        spent[s] += side.samples.back() * static_cast<double>(runsPerSample[s]);
      } catch (const std::exception& error) {
        side.error = explain(error);
      }
    }
  // By now other code may run than that of the first run.
  for (Side& side : sides)
    if (side.isMeasured())
      try {
        side.error = side.check();
      } catch (const std::exception& error) {
        side.error = explain(error);
      }
}

} // namespace quern::bench
