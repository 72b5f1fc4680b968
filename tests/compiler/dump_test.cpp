#include <fstream>
#include <sstream>

#include "compiler_fixture.h"

namespace quern::test {
namespace {

class DumpTest : public CompilerTest {
protected:
  static std::string read(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
};

TEST_F(DumpTest, EveryStepIsAFile) {
  const auto folder = temporaryFolder() / "new" / "folder";
  dump = {folder.string(), "program"};
  const std::string source = "kernel void k(global int* p) { p[get_global_id(0)] = 1; }";
  ASSERT_TRUE(build(source).ok);
  EXPECT_EQ(read(folder / "program.cl"), source);
  EXPECT_TRUE(contains(read(folder / "program.01-frontend.ll"), "get_global_id"));
  unsigned number = 2;
  for (const std::string& step : compiler.steps(target)) {
    const std::string name = "program." + std::string(number < 10 ? "0" : "") +
                             std::to_string(number) + "-" + step + ".ll";
    EXPECT_TRUE(contains(read(folder / name), "define ")) << name;
    ++number;
  }
  EXPECT_TRUE(contains(read(folder / "program.s"), ".text"));
}

TEST_F(DumpTest, DebugInformationNamesTheDumpedSource) {
  const auto folder = temporaryFolder();
  dump = {folder.string(), "program"};
  options.debugInfo = true;
  const compiler::Generated generated = build("kernel void k(global int* p) { p[0] = 1; }");
  ASSERT_TRUE(generated.ok);
  const std::string assembly = read(folder / "program.s");
  EXPECT_TRUE(contains(assembly, folder.string()));
  EXPECT_TRUE(contains(assembly, "program.cl"));
}

TEST_F(DumpTest, AFolderThatCannotBeMadeIsNoError) {
  dump = {"/proc/none/such", "program"};
  EXPECT_TRUE(build("kernel void k(global int* p) { p[0] = 1; }").ok);
}

} // namespace
} // namespace quern::test
