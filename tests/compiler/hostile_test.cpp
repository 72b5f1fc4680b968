#include <fstream>

#include "compiler_fixture.h"

namespace quern::test {
namespace {

using compiler::Compiled;

/// Sources that mean no good.
class HostileTest : public CompilerTest {
protected:
  /// A file that no option makes visible.
  std::filesystem::path secret() {
    const auto path = temporaryFolder() / "secret";
    std::ofstream(path) << "the-password is 12345\n";
    return path;
  }
};

TEST_F(HostileTest, AFileOutsideTheIncludeFoldersDoesNotExist) {
  const auto path = secret();
  std::filesystem::create_directory(path.parent_path() / "include");
  options.includeFolders = {(path.parent_path() / "include").string()};
  for (const std::string& name :
       {path.string(), std::string("../secret"), "include/../" + path.string()}) {
    const Compiled result = compile("#include \"" + name + "\"\n");
    EXPECT_FALSE(result.ok);
    EXPECT_TRUE(contains(result.log, "file not found")) << result.log;
    EXPECT_FALSE(contains(result.log, "12345")) << result.log;
    EXPECT_TRUE(compile("#if __has_include(\"" + name + "\")\n#error found\n#endif\n").ok);
  }
}

TEST_F(HostileTest, AnIncludeFolderMayBeReachedByAnyPath) {
  const auto folder = temporaryFolder();
  std::ofstream(folder / "a.h") << "#define A 1\n";
  options.includeFolders = {folder.string() + "/./"};
  EXPECT_TRUE(compile("#include \"" + (folder / "a.h").string() + "\"\n#include \"./a.h\"\n").ok);
}

TEST_F(HostileTest, AFileOfTheWorkingDirectoryIsFound) {
  std::filesystem::current_path(temporaryFolder());
  std::ofstream("a.h") << "#define A 1\n";
  EXPECT_TRUE(compile("#include \"a.h\"\nkernel void k(global int* p) { *p = A; }").ok);
  std::filesystem::current_path("/");
}

/// As programs do that pass the folder of their headers by -D and include by macro.
TEST_F(HostileTest, AFolderThatADefineNamesIsVisible) {
  const auto folder = temporaryFolder();
  std::ofstream(folder / "a.h") << "#define A 1\n";
  const std::string source = "#define TEXT_OF(x) #x\n"
                             "#define PATH(x) TEXT_OF(x)\n"
                             "#include PATH(FOLDER/a.h)\n"
                             "kernel void k(global int* p) { *p = A; }";
  options.defines = {{"FOLDER", folder.string()}};
  EXPECT_TRUE(compile(source).ok);
  const std::string quoted = "#include FILE\nkernel void k(global int* p) { *p = A; }";
  options.defines = {{"FILE", '"' + (folder / "a.h").string() + '"'}};
  EXPECT_TRUE(compile(quoted).ok);
  options.defines = {{"ROOT", "/"}, {"EMPTY", "\"\""}};
  EXPECT_FALSE(compile("#include \"" + (folder / "a.h").string() + "\"\n").ok);
}

TEST_F(HostileTest, EmbedIsNoDirectiveOfOpenCL) {
  const auto path = secret();
  options.includeFolders = {path.parent_path().string()};
  const Compiled result = compile("constant char text[] = {\n#embed \"secret\"\n};\n");
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(contains(result.log, "OpenCL C has no #embed")) << result.log;
}

TEST_F(HostileTest, MacrosThatDoubleAreStopped) {
  std::string source = "#define M0 x += 1;\n";
  for (int i = 1; i <= 40; ++i)
    source += "#define M" + std::to_string(i) + " M" + std::to_string(i - 1) + " M" +
              std::to_string(i - 1) + "\n";
  const Compiled result =
      compile(source + "kernel void k(global int* p) { int x = 0; M40 p[0] = x; }");
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(contains(result.log, "tokens after preprocessing")) << result.log;
}

TEST_F(HostileTest, LogsEnd) {
  EXPECT_LT(compile(std::string(1 << 20, '\xff')).log.size(), 20000u);
  std::string warnings = "kernel void k(global int* p) {\n";
  for (int i = 0; i < 1000; ++i)
    warnings += "  p[0] = 1 / 0;\n";
  const Compiled result = compile(warnings + "}");
  EXPECT_TRUE(result.ok);
  EXPECT_LT(result.log.size(), 50000u);
  EXPECT_TRUE(contains(result.log, "1000 warnings generated")) << result.log;
}

} // namespace
} // namespace quern::test
