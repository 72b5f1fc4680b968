#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace quern::tests {

/// A source file of tests/checks with one kernel, named as the file. Its first line says how it is
/// run, such as
///
///     // global 64 local 16 args buffer:256 local:64 int:7 null
///
/// where sizes are in bytes, with "source-only" first where SPIR-V does not tell the fault;
/// `global` and `local` may have two numbers, as 8x4. A line with a fault ends with a comment such
/// as `// fault: out-of-bounds-write`; one that has no line is "nowhere".
struct SeededKernel {
  /// Line and fault, as the report names it.
  using Faults = std::set<std::pair<unsigned, std::string>>;

  static SeededKernel read(const std::filesystem::path& file);

  std::string name;
  std::string source;
  std::vector<size_t> global, local; ///< no local: the device chooses
  std::vector<std::string> arguments;
  Faults faults;
  bool isSourceOnly = false; ///< a module of SPIR-V does not tell what is wrong with it
};

/// The pattern of QUERN_CHECK_SUPPRESSIONS in this process.
inline constexpr char knownFaults[] = "write of 4 bytes * in the kernel 'known_[a-z]*'*";

/// Runs it once on the first device and returns what the report file says of it. Races are all
/// "race": which of two accesses comes second is up to the device.
SeededKernel::Faults runChecked(const SeededKernel& kernel);

} // namespace quern::tests
