#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

/// The commands of the tool: each function adds one to `app`, with what runs it. A command that
/// fails throws a Failure.
namespace quern::tool {

/// Ends the tool with a sentence on standard error, unless it is empty, and an exit status.
class Failure : public std::runtime_error {
public:
  explicit Failure(const std::string& sentence, int exitStatus = 1)
      : std::runtime_error(sentence), exitStatus_(exitStatus) {}
  int exitStatus() const { return exitStatus_; }

private:
  int exitStatus_;
};

/// Goes on as another program, which is looked for where shells do if its name has no slash. Throws
/// when it cannot be run.
[[noreturn]] void become(std::vector<std::string> command);

/// The launcher's command that runs `command` beside `count` nodes, or one for each line of the
/// file `hosts`; the nodes are given a secret that only they and the program know.
std::vector<std::string> withNodes(const std::vector<std::string>& command, size_t count,
                                   const std::string& hosts);

/// Makes Quern the only platform of the programs that this process becomes or starts.
void useOnlyQuern();

void addBench(CLI::App& app);
void addCache(CLI::App& app);
void addCheck(CLI::App& app);
void addCompile(CLI::App& app);
void addIcd(CLI::App& app);
void addInfo(CLI::App& app);
void addOptions(CLI::App& app);
void addReport(CLI::App& app);
void addRun(CLI::App& app);
void addTrace(CLI::App& app);

} // namespace quern::tool
