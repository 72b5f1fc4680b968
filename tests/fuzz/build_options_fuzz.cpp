// Options of programs, as any text, for each of the calls that take them.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/build_options.h"

using namespace quern;

/// The answer to options that mean the same is the same; one that is refused is refused with a
/// sentence.
static void check(std::string_view text, runtime::BuildStep step) {
  Result<compiler::Options> options = runtime::parseBuildOptions(text, step);
  if (!options.ok()) {
    if (options.status().sentence().empty())
      std::abort();
    return;
  }
  const std::string canonical = runtime::canonicalText(*options);
  Result<compiler::Options> spaced =
      runtime::parseBuildOptions(" " + std::string(text) + "\t", step);
  if (!spaced.ok() || runtime::canonicalText(*spaced) != canonical)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto step :
       {runtime::BuildStep::Build, runtime::BuildStep::Compile, runtime::BuildStep::Link})
    check(text, step);
  return 0;
}
