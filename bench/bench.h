// The benchmark behind `quern bench`: the gallery's kernels with Quern and the chosen platforms,
// beside plain threaded C++ of the same work and the machine's own limits.
#pragma once

#include <string>
#include <vector>

namespace quern::bench {

struct Family;

struct BenchOptions {
  /// The file libquern.so of the Quern that is measured, whichever the loader would find.
  std::string driver;
  /// Names of the platforms to compare it with, parts of names, or the suffixes of their functions.
  /// Empty: all that are installed. The first device of each is used.
  std::vector<std::string> platforms;
  /// Measure only kernels whose name ("matmul FAST3") contains this. Empty: all, and the launch and
  /// build times.
  std::string kernelFilter;
  /// Rounds; in each, all sides of a comparison run one after the other. Medians over the rounds
  /// are reported.
  int repeat = 7;
  /// Where to write the results as JSON. Empty: nowhere.
  std::string jsonFile;
  /// Small sizes only: minutes instead of half an hour.
  bool quick = false;
};

/// Measures, prints tables to standard output and progress to standard error. Returns 0 if all
/// results were right, 1 if one was wrong or could not be computed, 2 if a platform that was asked
/// for is missing or the JSON file cannot be written.
int benchMain(const BenchOptions& options);
/// The same for other families than those of families().
int benchMain(const BenchOptions& options, const std::vector<Family>& families);

} // namespace quern::bench
