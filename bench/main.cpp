// The program behind `quern bench`, and its options.
#include <cstdio>
#include <exception>
#include <filesystem>

#include <CLI/CLI.hpp>

#include "bench.h"

namespace quern::bench {
namespace {

std::string driverBesideProgram() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "libquern.so";
}

void addOptions(CLI::App& app, BenchOptions& options) {
  app.add_option("--platform", options.platforms,
                 "Platform to compare with, by its name or a part of it; may be repeated. Default: "
                 "all that are installed.");
  app.add_option("--device", options.device,
                 "Device of each platform: cpu, gpu, or a part of its name. Default: the first.");
  app.add_option("--kernel", options.kernels,
                 "Measure only kernels whose name contains this; may be repeated.");
  app.add_option("--repeat", options.repeat, "Rounds to take the median of.")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--json", options.jsonFile, "File to write the results to.");
  app.add_option("--pictures", options.pictureFolder,
                 "Folder for the pictures that kernels compute, as raw numbers.");
  app.add_flag("--list-devices", options.listsDevices,
               "Print the kind and the name of each of Quern's devices, and measure nothing.");
  app.add_flag("--quick", options.quick, "Small sizes only: some minutes instead of half an hour.");
  app.add_flag("--runs-only", options.runsOnly, "Leave out the times to solution.");
  app.add_option("--one-thread", options.oneThread,
                 "Measure the host's code on one thread, too, for kernels whose name contains "
                 "this; may be repeated.");
  app.add_flag("--progress-lines", options.progressLines,
               "Write progress as lines, for programs that read it.");
}

int runBench(int argumentCount, char** arguments) {
  CLI::App app("Measure kernels with Quern, with the other OpenCL platforms, and in threaded C++, "
               "and check every result.",
               "quern bench");
  BenchOptions options;
  options.driver = driverBesideProgram();
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
