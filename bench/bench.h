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
  /// Empty: all that are installed.
  std::vector<std::string> platforms;
  /// Which device of each platform: "cpu", "gpu", or a part of its name. Platforms without such a
  /// device are left out. Empty: the first device of each.
  std::string device;
  /// Measure only kernels whose name ("matmul FAST3") contains one of these. Empty: all, and the
  /// launch and build times.
  std::vector<std::string> kernels;
  /// Only the times of runs, not those to solution.
  bool runsOnly = false;
  /// Measure the host's code on one thread, too, for kernels whose name contains one of these.
  std::vector<std::string> oneThread;
  /// Rounds; in each, all sides of a comparison run one after the other. Medians over the rounds
  /// are reported.
  int repeat = 7;
  /// Measure nothing: print a line for each of our devices, its kind and its name.
  bool listsDevices = false;
  /// Where to write the results as JSON. Empty: nowhere.
  std::string jsonFile;
  /// The folder for the pictures that kernels compute, as raw numbers that the JSON describes.
  /// Empty: none are written.
  std::string pictureFolder;
  /// Write progress for programs that read it: a line for each row, also where standard error is no
  /// terminal.
  bool progressLines = false;
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
