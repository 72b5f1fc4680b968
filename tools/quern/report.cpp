#include <filesystem>

#include "commands.h"
#include "driver.h"

namespace quern::tool {

namespace {

/// Goes on as the program in the folder `report`, which Python runs. It starts the benchmark.
[[noreturn]] void becomeReport(const std::vector<std::string>& arguments) {
  const std::optional<std::string> program = findFile("report");
  if (!program)
    throw Failure("the report is not installed: it belongs to the benchmark, which ./run --report "
                  "in Quern's sources builds");
  std::vector<std::string> command = {"python3", "-B", *program};
  if (const std::optional<std::string> benchmark = findFile("quern-bench"))
    command.insert(command.end(), {"--tool", std::filesystem::read_symlink("/proc/self/exe"),
                                   "--bench", *benchmark});
  command.insert(command.end(), arguments.begin(), arguments.end());
  become(std::move(command));
}

} // namespace

void addReport(CLI::App& app) {
  CLI::App* report = app.add_subcommand(
      "report", "Measure the gallery's kernels on each device and write a page with figures.");
  // Its options and their help are the program's own.
  report->set_help_flag();
  report->prefix_command();
  report->callback([report] { becomeReport(report->remaining()); });
}

} // namespace quern::tool
