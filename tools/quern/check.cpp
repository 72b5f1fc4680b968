#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "commands.h"

namespace quern::tool {

namespace {

namespace fs = std::filesystem;

/// A program that was right but for what the checks found ends with this.
constexpr int faultStatus = 99;

struct CheckOptions {
  std::string checks = "all";
  std::string json;
  std::string suppressions;
  int exitStatus = faultStatus;
};

/// A file that is gone with the object.
class TemporaryFile {
public:
  TemporaryFile() {
    // mkstemp replaces the six letters at the end.
    std::string name = fs::temp_directory_path() / ("quern-check-" + std::string(6, 'X'));
    const int descriptor = mkstemp(name.data());
    if (descriptor < 0)
      throw Failure("no file can be made for what the checks find, in " +
                    fs::temp_directory_path().string());
    close(descriptor);
    path_ = name;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const fs::path& path() const { return path_; }

private:
  fs::path path_;
};

void setEnvironment(const CheckOptions& options, const fs::path& report) {
  useOnlyQuern();
  setenv("QUERN_CHECK", options.checks.c_str(), 1);
  setenv("QUERN_CHECK_REPORT", report.c_str(), 1);
  if (!options.suppressions.empty())
    setenv("QUERN_CHECK_SUPPRESSIONS", fs::absolute(options.suppressions).c_str(), 1);
}

/// Runs the program to its end and returns its status as shells do.
int runToEnd(const std::vector<std::string>& command, const CheckOptions& options,
             const fs::path& report) {
  const pid_t child = fork();
  if (child < 0)
    throw Failure("no process can be started for " + command.front());
  if (child == 0) {
    try {
      setEnvironment(options, report);
      become(command);
    } catch (const Failure& failure) {
      std::fprintf(stderr, "quern: %s\n", failure.what());
      _exit(failure.exitStatus());
    }
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  constexpr int signalBase = 128;
  return WIFSIGNALED(status) ? signalBase + WTERMSIG(status) : WEXITSTATUS(status);
}

/// The lines of the report that begin with `event`.
size_t countLines(const fs::path& report, const std::string& event) {
  std::ifstream file(report);
  size_t count = 0;
  for (std::string line; std::getline(file, line);)
    count += line.starts_with("{\"event\":\"" + event + "\"");
  return count;
}

void checkProgram(const CheckOptions& options, const std::vector<std::string>& command) {
  const TemporaryFile own;
  fs::path report = own.path();
  if (!options.json.empty()) {
    report = fs::absolute(options.json);
    if (!std::ofstream(report, std::ios::trunc))
      throw Failure(options.json + " cannot be written");
  }
  const int status = runToEnd(command, options, report);
  const size_t places = countLines(report, "fault");
  if (places == 0)
    std::fprintf(stderr, "quern check: no fault was found\n");
  else
    std::fprintf(stderr, "quern check: faults were found at %zu %s\n", places,
                 places == 1 ? "place" : "places");
  if (status != 0)
    throw Failure(command.front() + " ended with status " + std::to_string(status),
                  places != 0 ? options.exitStatus : status);
  if (places != 0)
    throw Failure("", options.exitStatus);
}

} // namespace

void addCheck(CLI::App& app) {
  CLI::App* check = app.add_subcommand(
      "check", "Run a program with checks compiled into its kernels, and say what they find.");
  check->footer(
      "The program and its arguments follow: quern check --checks memory,races ./program\n"
      "The exit status is the program's where nothing is found.");
  auto options = std::make_shared<CheckOptions>();
  check
      ->add_option("--checks", options->checks,
                   "all, or of memory, races, uninitialised, barriers, arithmetic, arguments")
      ->capture_default_str();
  check->add_option("--json", options->json, "File for what is found, one JSON object a line");
  check->add_option("--suppressions", options->suppressions,
                    "File of patterns, one a line, of sentences that are not reported");
  check->add_option("--exit-status", options->exitStatus, "Status where something is found")
      ->capture_default_str();
  check->prefix_command();
  check->callback([check, options] {
    const std::vector<std::string> command = check->remaining();
    if (command.empty())
      throw Failure("no program to check is named; try quern check --help", 2);
    checkProgram(*options, command);
  });
}

} // namespace quern::tool
