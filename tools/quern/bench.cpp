#include "commands.h"
#include "driver.h"

namespace quern::tool {

namespace {

/// Goes on as the benchmark, a program of its own so that the tool is built and loaded without it.
/// Its host code is compiled for the machine that builds it, so it is in no package.
[[noreturn]] void becomeBenchmark(std::vector<std::string> arguments) {
  const std::optional<std::string> program = findFile("quern-bench");
  if (!program)
    throw Failure("the benchmark is not installed: it is compiled for the machine that it runs on, "
                  "by ./run --bench in Quern's sources");
  arguments.insert(arguments.begin(), *program);
  become(std::move(arguments));
}

} // namespace

void addBench(CLI::App& app) {
  CLI::App* bench = app.add_subcommand(
      "bench", "Measure kernels with Quern, with the other OpenCL platforms, and in "
               "threaded C++, and check every result.");
  // Its options and their help are the benchmark's own.
  bench->set_help_flag();
  bench->prefix_command();
  bench->callback([bench] { becomeBenchmark(bench->remaining()); });
}

} // namespace quern::tool
