#include "base/config.h"

#include <cstdio>
#include <cstdlib>

#include "commands.h"

namespace quern::tool {

namespace {

void printOptions() {
  std::printf(
      "Environment variables that steer Quern. Each is read once by a program that uses it.\n");
  for (const OptionRow& row : optionRows()) {
    const std::string variable(row.variable), type(row.type), text(row.text);
    const std::string defaultValue(row.defaultValue.empty() ? "none" : row.defaultValue);
    std::printf("\n%s=%s\n    %s\n    Default: %s", variable.c_str(), type.c_str(), text.c_str(),
                defaultValue.c_str());
    if (const char* value = std::getenv(variable.c_str()))
      std::printf("; now: %s", value);
    std::printf("\n");
  }
}

} // namespace

void addOptions(CLI::App& app) {
  app.add_subcommand("options", "Print the environment variables that steer Quern.")
      ->callback(printOptions);
}

} // namespace quern::tool
