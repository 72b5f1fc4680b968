#include <algorithm>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "commands.h"

namespace quern::tool {
namespace {

/// The words behind the tool's name, the last first, as CLI11 wants them. It would take the word
/// behind "--name=" for the value, so an empty value becomes a word of its own. What is meant for a
/// program that `app` runs stays as it is.
std::vector<std::string> wordsOf(const CLI::App& app, std::span<char* const> arguments) {
  std::vector<std::string> words;
  const auto runsProgram = [&](const CLI::App* command) {
    return command->get_prefix_command() && command->get_name() == arguments[1];
  };
  const bool areOurs = arguments.size() < 2 || app.get_subcommands(runsProgram).empty();
  for (const std::string_view word : arguments.subspan(std::min<size_t>(1, arguments.size()))) {
    const bool hasEmptyValue =
        areOurs && word.starts_with("--") && word.find('=') == word.size() - 1;
    words.emplace_back(hasEmptyValue ? word.substr(0, word.size() - 1) : word);
    if (hasEmptyValue)
      words.emplace_back();
  }
  std::ranges::reverse(words);
  return words;
}

int runTool(int argumentCount, char** arguments) {
  CLI::App app("Quern, an OpenCL implementation: its devices, its compiler, its cache, its speed.",
               "quern");
  app.require_subcommand(1);
  app.set_version_flag("--version", "quern " QUERN_VERSION);
  for (auto add : {addInfo, addRun, addCheck, addCompile, addBench, addReport, addCache, addTrace,
                   addOptions, addIcd})
    add(app);
  app.failure_message([](const CLI::App* parsed, const CLI::Error& error) {
    const std::vector<std::string> unknown = parsed->remaining();
    const std::string what = unknown.empty() ? error.what() : "unknown argument " + unknown.front();
    return "quern: " + what + "; try --help\n";
  });
  try {
    app.parse(wordsOf(app, std::span(arguments, static_cast<size_t>(argumentCount))));
    return 0;
  } catch (const CLI::ParseError& error) {
    // Prints the help that was asked for, or what is wrong with the arguments.
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const Failure& failure) {
    if (*failure.what())
      std::fprintf(stderr, "quern: %s\n", failure.what());
    return failure.exitStatus();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "quern: %s\n", error.what());
    return 1;
  }
}

} // namespace
} // namespace quern::tool

int main(int argumentCount, char** arguments) {
  return quern::tool::runTool(argumentCount, arguments);
}
