// The benchmark behind `quern bench`: the gallery's kernels on every chosen platform, beside plain
// threaded C++ of the same work and the machine's own limits.
#pragma once

#include <string>
#include <vector>

namespace quern::bench {

struct BenchOptions {
  /// Names, or parts of names, of the platforms to measure. Empty: all that are installed. The
  /// first device of each is used. The platform called Quern is "ours" wherever it is listed;
  /// without it the first one is.
  std::vector<std::string> platforms;
  /// Measure only kernels whose name ("matmul FAST3") contains this. Empty: all, and the launch and
  /// build times.
  std::string kernelFilter;
  /// Rounds; in each, all sides of a comparison run one after the other. Medians over the rounds
  /// are reported.
  int repeat = 7;
  /// Where to write the results as JSON. Empty: nowhere.
  std::string jsonFile;
  /// Small sizes only: a minute instead of a quarter of an hour.
  bool quick = false;
};

/// Measures, prints a table to standard output and progress to standard error. Returns 0 if all
/// results were right, 1 if one was wrong or could not be computed, 2 if no platform fits the
/// options or the JSON file cannot be written.
int benchMain(const BenchOptions& options);

} // namespace quern::bench
