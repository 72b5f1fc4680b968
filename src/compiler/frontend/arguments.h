#pragma once

#include <string>
#include <vector>

#include "compiler/interface/compiler.h"

namespace quern::compiler {

/// Folders of the in-memory file system that the front end sees above the real one.
inline constexpr const char* ownHeaderFolder = "/quern-include";
inline constexpr const char* programHeaderFolder = "/quern-headers";

/// The arguments of `clang -cc1` that compile an OpenCL program with `options` for `target`. The
/// source is not among them.
std::vector<std::string> frontendArguments(const Options& options, const Target& target);

} // namespace quern::compiler
