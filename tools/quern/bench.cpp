#include <cerrno>
#include <cstring>

#include <unistd.h>

#include "commands.h"
#include "driver.h"

namespace quern::tool {

namespace {

/// Goes on as the benchmark, a program of its own so that the tool is built and loaded without it.
[[noreturn]] void becomeBenchmark(std::vector<std::string> arguments) {
  const std::string program = libraryFile("quern-bench");
  arguments.insert(arguments.begin(), program);
  std::vector<char*> pointers;
  for (std::string& argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  throw Failure(program + " cannot be run: " + std::strerror(errno));
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
