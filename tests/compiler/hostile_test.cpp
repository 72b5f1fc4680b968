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

TEST_F(HostileTest, AZeroInANameHidesNothing) {
  const std::string name = secret().string() + std::string(1, '\0') + ".h";
  const Compiled result = compile("#include \"" + name + "\"\n");
  EXPECT_FALSE(result.ok);
  EXPECT_FALSE(contains(result.log, "12345")) << result.log;
  EXPECT_TRUE(compile("#if __has_include(\"" + name + "\")\n#error found\n#endif\n").ok);
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

/// As programs do whose kernels share headers with others.
TEST_F(HostileTest, SourcesAndHeadersAreFoundAboveTheFolders) {
  const auto folder = temporaryFolder();
  std::filesystem::create_directories(folder / "common/deep");
  std::filesystem::create_directory(folder / "kernels");
  std::ofstream(folder / "common/deep/a.h") << "#include \"../b.cl\"\n";
  std::ofstream(folder / "common/b.cl") << "#define B 1\n";
  const std::string use = "\nkernel void k(global int* p) { *p = B; }";
  options.includeFolders = {(folder / "kernels").string()};
  EXPECT_TRUE(compile("#include \"../common/deep/a.h\"" + use).ok);
  EXPECT_TRUE(compile("#include \"" + (folder / "common/b.cl").string() + "\"" + use).ok);
  options.includeFolders.clear();
  std::filesystem::current_path(folder / "kernels");
  EXPECT_TRUE(compile("#include \"../common/b.cl\"" + use).ok);
  EXPECT_FALSE(compile("#include \"../common/c.cl\"" + use).ok);
  std::filesystem::current_path("/");
}

/// As programs do that pass the folder of their headers by -D and include by macro.
TEST_F(HostileTest, AFolderThatADefineNamesIsVisible) {
  const auto folder = temporaryFolder();
  std::ofstream(folder / "a.data") << "#define A 1\n";
  const std::string source = "#define TEXT_OF(x) #x\n"
                             "#define PATH(x) TEXT_OF(x)\n"
                             "#include PATH(FOLDER/a.data)\n"
                             "kernel void k(global int* p) { *p = A; }";
  options.defines = {{"FOLDER", folder.string()}};
  EXPECT_TRUE(compile(source).ok);
  const std::string quoted = "#include FILE\nkernel void k(global int* p) { *p = A; }";
  options.defines = {{"FILE", '"' + (folder / "a.data").string() + '"'}};
  EXPECT_TRUE(compile(quoted).ok);
  options.defines = {{"ROOT", "/"}, {"EMPTY", "\"\""}};
  EXPECT_FALSE(compile("#include \"" + (folder / "a.data").string() + "\"\n").ok);
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

TEST_F(HostileTest, KernelsHaveNoOtherCallingConvention) {
  for (const char* attribute : {"vectorcall", "ms_abi", "sysv_abi", "stdcall", "preserve_all",
                                "preserve_most", "swiftcall", "pascal", "regcall"}) {
    const std::string kernel =
        std::string("kernel __attribute__((") + attribute + ")) void k(global int* p) { *p = 1; }";
    const std::string declared =
        std::string("__attribute__((") + attribute + ")) void k(global int* p); " + kernel;
    for (const std::string& source :
         {kernel, declared, "namespace n { " + kernel + " }", "extern \"C\" { " + kernel + " }"}) {
      options.standard = source == kernel || source == declared
                             ? compiler::LanguageStandard::CL12
                             : compiler::LanguageStandard::CLCpp2021;
      const Compiled result = compile(source);
      EXPECT_FALSE(result.ok) << source;
      EXPECT_TRUE(contains(result.log, "called in another way than kernels")) << result.log;
    }
  }
}

TEST_F(HostileTest, AttributesForOtherToolsChangeNothing) {
  for (const char* attribute : {"used", "retain", "annotate(\"x\")"}) {
    const std::string begin = std::string("__attribute__((") + attribute + ")) ";
    const compiler::Generated result =
        build(begin + "int f(int x) { return x + (int)get_local_id(0); }\n" + begin +
              "constant int three = 3;\nkernel " + begin +
              "void k(global int* p) { p[get_global_id(0)] = f(three); }");
    EXPECT_TRUE(result.ok) << attribute << ": " << result.log;
    EXPECT_EQ(1u, result.image.kernels.size());
  }
}

TEST_F(HostileTest, VariablesAndArgumentsHaveLimits) {
  for (const char* size : {"1L << 31", "1L << 40", "1L << 60"}) {
    const std::string array = std::string("char a[") + size + "]";
    compiler::Generated result =
        build("constant " + array + " = {1}; kernel void k(global int* p) { *p = a[p[1]]; }");
    EXPECT_FALSE(result.ok);
    EXPECT_TRUE(
        contains(result.log, "the variables of the program have more than 1073741824 bytes"))
        << result.log;
    const std::string type = "typedef struct { " + array + "; } S; ";
    for (const char* functions :
         {"kernel void k(S s, S t, global int* p) { *p = s.a[p[1]] + t.a[0]; }",
          "int f(S s) { return s.a[3]; } kernel void k(global S* s, global int* p) { *p = f(*s); "
          "}"}) {
      result = build(type + functions);
      EXPECT_FALSE(result.ok);
      EXPECT_TRUE(contains(result.log, "the parameter 's' of 'k' has more than 1048576 bytes") ||
                  contains(result.log, "the parameter 's' of 'f' has more than 1048576 bytes"))
          << result.log;
    }
  }
  EXPECT_TRUE(contains(build("typedef struct { char a[1 << 18]; } S;"
                             "kernel void k(S a, S b, S c, S d, char e) {}")
                           .log,
                       "the arguments of the kernel 'k' have more than 1048576 bytes"));
  // As large as two variables may be together.
  const std::string half = "constant char a[1 << 29] = {1}, b[1 << 29] = {1}, c[1] = {1};";
  EXPECT_FALSE(
      build(half + "kernel void k(global int* p) { *p = a[p[1]] + b[p[1]] + c[p[1]]; }").ok);
}

/// A kernel may itself be larger than what may be inlined into it.
TEST_F(HostileTest, ManyCallsWithManyArgumentsAreNoGrowth) {
  options.standard = compiler::LanguageStandard::CL30;
  constexpr int parameters = 512, calls = 256;
  std::string source = "bool f(int* p0", call = "  n += f(g";
  for (int i = 1; i < parameters; ++i) {
    source += ", int* p" + std::to_string(i);
    call += i % 2 ? ", g" : ", l";
  }
  source += ") { return get_fence(p0) == CLK_GLOBAL_MEM_FENCE; }\n"
            "kernel void k(global int* g) {\n  local int* l = 0;\n  int n = 0;\n";
  for (int i = 0; i < calls; ++i)
    source += call + ");\n";
  const compiler::Generated result = build(source + "  g[0] = n;\n}");
  EXPECT_TRUE(result.ok) << result.log;
}

TEST_F(HostileTest, MessagesNameTheKernelAsItsAuthorDid) {
  compiler::Generated result =
      build("kernel void k(global int* p) { barrier(CLK_LOCAL_MEM_FENCE); if (*p) k(p); }");
  EXPECT_TRUE(contains(result.log, "kernel 'k' calls itself")) << result.log;
  result = build("int g(int); kernel void k(global int* p) { *p = g(1); }");
  EXPECT_TRUE(contains(result.log, "undefined function 'g', called by kernel 'k'")) << result.log;
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
