#include "bench/bench.h"

#include <memory>

#include "commands.h"

namespace quern::tool {

void addBench(CLI::App& app) {
  CLI::App* bench =
      app.add_subcommand("bench", "Measure kernels on the installed OpenCL platforms beside plain "
                                  "threaded C++, and check every result.");
  auto options = std::make_shared<bench::BenchOptions>();
  bench->add_option(
      "--platform", options->platforms,
      "Platform to measure, by its name or a part of it; may be repeated. Default: all.");
  bench->add_option("--kernel", options->kernelFilter,
                    "Measure only kernels whose name contains this.");
  bench->add_option("--repeat", options->repeat, "Rounds to take the median of.")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  bench->add_option("--json", options->jsonFile, "File to write the results to.");
  bench->add_flag("--quick", options->quick,
                  "Small sizes only: a minute instead of a quarter of an hour.");
  bench->callback([options] {
    if (const int status = bench::benchMain(*options); status != 0)
      throw Failure("", status);
  });
}

} // namespace quern::tool
