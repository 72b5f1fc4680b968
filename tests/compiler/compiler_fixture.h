#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "compiler/interface/compiler.h"
#include "temporary_folder.h"

namespace quern::test {

/// A test of the compiler library with a target that has the features of our CPU device.
class CompilerTest : public testing::Test {
protected:
  CompilerTest();

  compiler::Compiled compile(std::string_view source,
                             const std::vector<compiler::Header>& headers = {});
  compiler::Compiled link(const std::vector<Bytes>& programs);
  /// Compiles, links and generates; a failure on the way is the result's.
  compiler::Generated build(std::string_view source);
  /// The description of a kernel of `generated`, which must be there.
  static const abi::KernelDescription& kernel(const compiler::Generated& generated,
                                              const std::string& name);
  /// An empty folder that goes away with the test.
  std::filesystem::path temporaryFolder() { return folder_.path(); }

  compiler::Compiler& compiler;
  compiler::Options options;
  compiler::Target target;
  compiler::DumpRequest dump;

private:
  const TemporaryFolder folder_;
};

/// Whether `text` contains `part`.
bool contains(std::string_view text, std::string_view part);

} // namespace quern::test
