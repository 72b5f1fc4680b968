// What every program of the gallery shares, so that its main.cpp can be about OpenCL: the command
// line, the choice of a device, loading a .cl file, timing, and reporting a checked result.
#pragma once

#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gallery {

// --- The command line
// -------------------------------------------------------------------------------------------------

/// One `--name value` option of a program. `tourValue`, where given, is the default under `--tour`.
struct Option {
  std::string name;
  std::string value;
  std::string help;
  std::string tourValue = {};
};

/// The options of one program: its own, and those that all have: --platform, --device, --repeat,
/// --tour, --help. Numbers may carry the suffix Ki or Mi.
class CommandLine {
public:
  /// Prints the help and ends the program for --help. Throws std::invalid_argument for anything it
  /// does not know.
  CommandLine(int argc, char** argv, const std::string& purpose,
              const std::vector<Option>& options = {});

  /// True when the tour runs the program: small sizes, and results as rows for a machine.
  bool tour() const { return tour_; }
  const std::string& text(const std::string& name) const;
  size_t number(const std::string& name) const;
  /// The numbers of a list separated by commas.
  std::vector<size_t> numbers(const std::string& name) const;

private:
  std::map<std::string, std::string> values_;
  bool tour_ = false;
};

// --- Devices and programs
// ---------------------------------------------------------------------------------------------

/// The platform that --platform names by its number in the list or by a part of its name; without
/// the option the environment's GALLERY_PLATFORM, else the first one.
cl::Platform choosePlatform(const CommandLine& line);

/// Those of the platform; throws when it has none.
std::vector<cl::Device> devicesOf(const cl::Platform& platform);

/// Likewise the device of that platform, from --device or GALLERY_DEVICE.
cl::Device chooseDevice(const CommandLine& line);

/// The text of a file that lies beside the running program, or in the current folder.
std::string readSource(const std::string& fileName);

/// Builds the .cl file for the device. A cl::BuildError, which carries the build log, reports a
/// failure.
cl::Program buildProgram(const cl::Context& context, const cl::Device& device,
                         const std::string& fileName, const std::string& options = "");

/// The largest power of two that is at most `wanted` and that the device accepts as this kernel's
/// work-group size.
size_t groupSize(const cl::Kernel& kernel, const cl::Device& device, size_t wanted);

/// The least multiple of `step` that is not below `value`: the global size for a work-group size of
/// `step`.
constexpr size_t roundUp(size_t value, size_t step) {
  return (value + step - 1) / step * step;
}

// --- Work on the host
// -------------------------------------------------------------------------------------------------

/// Runs work(begin, end) on all cores, each with its share of 0 ... count - 1, and waits for them.
void onAllCores(size_t count, const std::function<void(size_t begin, size_t end)>& work);

/// The same numbers on every run: uniform in [low, high).
std::vector<float> randomFloats(size_t count, float low, float high, unsigned seed);
/// The same numbers on every run: uniform in 0 ... bound - 1.
std::vector<cl_int> randomInts(size_t count, cl_int bound, unsigned seed);

/// The median wall time of `work` in seconds, after one run that is not counted. At least one and
/// at most `repeat` runs: no new one starts once they took a second in all.
double medianSeconds(size_t repeat, const std::function<void()>& work);

/// The time between a command's start and its end on the device, in seconds; the queue must have
/// profiling enabled.
double eventSeconds(const cl::Event& event);

// --- Results
// ----------------------------------------------------------------------------------------------------------

/// The outcome of a comparison with the host's result.
struct Check {
  bool ok = false;
  std::string detail;
};

/// Each value must lie within `allowed` of the expected one. A NaN never does.
Check closeTo(const std::vector<float>& actual, const std::vector<double>& expected,
              double allowed);

/// Each value must equal the expected one.
template <typename T> Check equal(const std::vector<T>& actual, const std::vector<T>& expected) {
  if (actual.size() != expected.size())
    return {false, std::to_string(actual.size()) + " values instead of " +
                       std::to_string(expected.size())};
  for (size_t i = 0; i < actual.size(); ++i)
    if (actual[i] != expected[i])
      return {false, "element " + std::to_string(i) + " is " + std::to_string(actual[i]) +
                         ", expected " + std::to_string(expected[i])};
  return {true, "equal"};
}

/// A condition in words.
inline Check holds(bool condition, const std::string& statement) {
  return {condition, condition ? statement : "does not hold: " + statement};
}

/// "12.3 GFLOP/s" for an amount per second and its unit.
std::string rate(double amountPerSecond, const std::string& unit);

/// "3.5" for a count in the given number of decimals.
std::string decimal(double value, int digits);

/// Prints one line per result, and remembers whether all of them held. With --tour a line is a row
/// for the tour: the word row, program, device, size, milliseconds, rate, ok | FAILED | reference |
/// skipped, and a remark, separated by tabs.
class Report {
public:
  Report(const CommandLine& line, const std::string& program, const std::string& device);

  /// `seconds` and `rate` may be 0 and empty where there is nothing to time.
  void add(const std::string& variant, const std::string& size, double seconds,
           const std::string& rate, const Check& check);
  /// The time of the host's own computation, to compare with. It is the reference, so there is
  /// nothing to check.
  void reference(const std::string& variant, const std::string& size, double seconds,
                 const std::string& rate);
  void skip(const std::string& variant, const std::string& reason);

  /// What main returns: 0 only if every check held.
  int exitCode() const { return failures_ == 0 ? 0 : 1; }

private:
  void print(const std::string& variant, const std::string& size, double seconds,
             const std::string& rate, const std::string& verdict, const std::string& detail);

  std::string program_;
  std::string device_;
  bool tour_;
  bool headed_ = false;
  int failures_ = 0;
};

/// Explains an exception that ended main (with the build log of a cl::BuildError) and returns
/// main's exit code.
int failure(const std::exception& error);

} // namespace gallery
