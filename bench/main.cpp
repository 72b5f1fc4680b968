// The program behind `quern bench`, and its options.
#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>

#include "bench.h"

namespace quern::bench {
namespace {

void addOptions(CLI::App& app, BenchOptions& options) {
  app.add_option("--platform", options.platforms,
                 "Platform to measure, by its name or a part of it; may be repeated. Default: all.");
  app.add_option("--kernel", options.kernelFilter,
                 "Measure only kernels whose name contains this.");
  app.add_option("--repeat", options.repeat, "Rounds to take the median of.")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--json", options.jsonFile, "File to write the results to.");
  app.add_flag("--quick", options.quick,
               "Small sizes only: a minute instead of a quarter of an hour.");
}

int runBench(int argumentCount, char** arguments) {
  CLI::App app("Measure kernels on the installed OpenCL platforms beside plain threaded C++, and "
               "check every result.",
               "quern bench");
  BenchOptions options;
  addOptions(app, options);
  try {
    app.parse(argumentCount, arguments);
    return benchMain(options);
  } catch (const CLI::ParseError& error) {
    // Prints the help that was asked for, or what is wrong with the arguments.
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "quern bench: %s\n", error.what());
    return 1;
  }
}

} // namespace
} // namespace quern::bench

int main(int argumentCount, char** arguments) {
  return quern::bench::runBench(argumentCount, arguments);
}
