#pragma once

#include <stdexcept>
#include <string>

#include <CLI/CLI.hpp>

/// The commands of the tool: each function adds one to `app`. A command that fails throws.
namespace quern::tool {

/// Ends the tool with a sentence on standard error and exit status 1.
class Failure : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

void addCache(CLI::App& app);
void addOptions(CLI::App& app);

} // namespace quern::tool
