#pragma once

#include <string>

/// How reading a module ends early. Rules may be broken wherever an id is used, so these are
/// thrown within this folder and caught where reading begins (reader.cpp); nothing that was made
/// by then is kept.
namespace quern::compiler::spirv {

/// What an instruction does that it must not, as the rest of a sentence about it: "names the id 5,
/// which is no type". Whoever reads the instruction makes a Failure of it.
struct RuleBroken {
  std::string rule;
};

/// The sentence for the build log.
struct Failure {
  std::string sentence;
};

} // namespace quern::compiler::spirv
