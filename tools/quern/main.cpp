#include <cstdio>
#include <exception>

#include "commands.h"

namespace quern::tool {
namespace {

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
    app.parse(argumentCount, arguments);
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
