#include <cstdio>
#include <exception>

#include "commands.h"

int main(int argumentCount, char** arguments) {
  using namespace quern::tool;
  CLI::App app("Quern, an OpenCL implementation: what it offers, its compiler and its cache.",
               "quern");
  app.require_subcommand(1);
  addCache(app);
  addOptions(app);
  try {
    app.parse(argumentCount, arguments);
    return 0;
  } catch (const CLI::ParseError& error) {
    // Prints help or what is wrong with the arguments; 0 for help, else a code of CLI11 that only
    // says "not 0".
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "quern: %s\n", error.what());
    return 1;
  }
}
