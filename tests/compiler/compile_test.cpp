#include <fstream>

#include "base/hash.h"
#include "compiler_fixture.h"

namespace quern::test {
namespace {

using compiler::Compiled;
using compiler::LanguageStandard;

class CompileTest : public CompilerTest {};

TEST_F(CompileTest, ErrorsNameFileLineAndColumn) {
  const Compiled result = compile("kernel void k(global int* p) {\n  p[0] = undeclared;\n}\n");
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(
      contains(result.log, "program.cl:2:10: error: use of undeclared identifier 'undeclared'"))
      << result.log;
}

TEST_F(CompileTest, WarningsStayInTheLogOfASuccess) {
  const char* source = "kernel void k(global int* p) { int unused = 1 / 0; p[0] = 1; }";
  const Compiled result = compile(source);
  EXPECT_TRUE(result.ok);
  EXPECT_TRUE(contains(result.log, "warning: ")) << result.log;
}

TEST_F(CompileTest, WarningsCanBeSilencedAndMadeErrors) {
  const char* source = "kernel void k(global int* p) { p[0] = 1 / 0; }";
  options.disableWarnings = true;
  EXPECT_EQ(compile(source).log, "");
  options.disableWarnings = false;
  options.warningsAreErrors = true;
  EXPECT_FALSE(compile(source).ok);
}

TEST_F(CompileTest, EmptySourceIsAProgramWithoutKernels) {
  EXPECT_TRUE(compile("").ok);
  EXPECT_TRUE(build("").image.kernels.empty());
}

TEST_F(CompileTest, DefinesReachTheSource) {
  options.defines = {{"WITH_VALUE", "41 + 1"}, {"PLAIN", "1"}, {"F(x)", "((x) * 2)"}};
  EXPECT_TRUE(compile("#if WITH_VALUE != 42 || !PLAIN || F(3) != 6\n#error wrong\n#endif\n").ok);
}

/// The header that comes before a program must not be changed by its macros.
TEST_F(CompileTest, DefinesMayHaveNamesOfParameters) {
  target.features.insert(target.features.end(), {"cl_khr_extended_async_copies", "cl_khr_fp16"});
  for (const char* name : {"alignment", "clustersize", "data", "delta", "dst", "dst_offset",
                           "event", "num_lines", "offset", "p", "pointer", "src", "value"})
    options.defines.emplace_back(name, "4");
  const Compiled result = compile("kernel void k(global int* q) { q[offset] = p; }");
  EXPECT_TRUE(result.ok) << result.log;
}

TEST_F(CompileTest, AlignmentMayBeAssumedInEveryAddressSpace) {
  const std::string source = R"(
    constant int table[4] = {1, 2, 3, 4};
    kernel void k(global int* p, local int* l) {
      int own[4] = {1, 2, 3, 4};
      global const int* a = (global const int*)__builtin_assume_aligned(p, 16);
      local int* b = (local int*)__builtin_assume_aligned(l, 8, 4);
      constant int* c = (constant int*)__builtin_assume_aligned(table, 4);
      private int* d = (private int*)__builtin_assume_aligned((private int*)own, 4);
      p[1] = a[0] + b[1] + c[2] + d[3];
    })";
  options.warningsAreErrors = true;
  for (auto standard :
       {LanguageStandard::CL10, LanguageStandard::CL12, LanguageStandard::CL20,
        LanguageStandard::CL30, LanguageStandard::CLCpp10, LanguageStandard::CLCpp2021}) {
    options.standard = standard;
    const Compiled result = compile(source);
    EXPECT_TRUE(result.ok) << result.log;
  }
  const Compiled broken = compile("kernel void k(global int* p) "
                                  "{ p = (global int*)__builtin_assume_aligned(p, 12); }");
  EXPECT_FALSE(broken.ok);
  EXPECT_TRUE(contains(broken.log, "the alignment is not a power of two")) << broken.log;
}

/// What few programs use is declared where one uses it and has not declared it.
TEST_F(CompileTest, ProgramsMayHaveFunctionsOfTheirOwnWithNamesOfExtensions) {
  const Compiled result = compile(R"(
    int sub_group_rotate(int a) { return a + 1; }
    float vloada_half(float a) { return a * 2; }
    kernel void k(global int* p) { p[0] = sub_group_rotate(p[1]) + (int)vloada_half(p[2]); })");
  EXPECT_TRUE(result.ok) << result.log;
}

/// Programs for OpenCL C 1.2 ask for these macros before they use what only later versions have.
TEST_F(CompileTest, FeatureMacrosBelongToVersion3) {
  for (const char* macro :
       {"__opencl_c_atomic_order_acq_rel", "__opencl_c_atomic_scope_device",
        "__opencl_c_generic_address_space", "__opencl_c_images", "__opencl_c_read_write_images",
        "__opencl_c_program_scope_global_variables", "__opencl_c_work_group_collective_functions",
        "__opencl_c_fp64", "__opencl_c_subgroups"}) {
    const std::string source = std::string("#ifdef ") + macro + "\n#error is defined\n#endif\n";
    target.features.push_back(macro);
    options.standard = compiler::LanguageStandard::Default;
    EXPECT_TRUE(compile(source).ok) << macro;
    options.standard = compiler::LanguageStandard::CL30;
    EXPECT_TRUE(contains(compile(source).log, "is defined")) << macro;
  }
}

TEST_F(CompileTest, EmbeddedHeadersAreFoundByNameBeforeFolders) {
  const auto folder = temporaryFolder();
  std::ofstream(folder / "a.h") << "#error the one on disk\n";
  options.includeFolders = {folder.string()};
  const Compiled result = compile(
      "#include \"a.h\"\n#include \"sub/b.h\"\nkernel void k(global int* p) { *p = A + B; }",
      {{"a.h", "#define A 1\n"}, {"sub/b.h", "#include \"c.h\"\n"}, {"sub/c.h", "#define B 2\n"}});
  EXPECT_TRUE(result.ok) << result.log;
  EXPECT_TRUE(result.dependencies.empty());
}

TEST_F(CompileTest, IncludedFilesAreReportedWithTheirHashes) {
  const auto folder = temporaryFolder();
  const std::string text = "#define A 1\n";
  std::ofstream(folder / "on disk.h") << text;
  options.includeFolders = {folder.string()};
  const Compiled result =
      compile("#include \"on disk.h\"\nkernel void k(global int* p) { *p = A; }");
  ASSERT_TRUE(result.ok) << result.log;
  ASSERT_EQ(result.dependencies.size(), 1u);
  EXPECT_EQ(result.dependencies[0].path, (folder / "on disk.h").string());
  EXPECT_EQ(result.dependencies[0].contentHash, contentHash(text));
}

TEST_F(CompileTest, ErrorsInHeadersNameTheHeader) {
  const Compiled result = compile("#include \"bad.h\"\n", {{"bad.h", "\nint x = ;\n"}});
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(contains(result.log, "bad.h:2:9: error:")) << result.log;
}

TEST_F(CompileTest, MissingHeaderIsAnError) {
  const Compiled result = compile("#include \"nowhere.h\"\n");
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(contains(result.log, "'nowhere.h' file not found")) << result.log;
}

TEST_F(CompileTest, InlineFunctionsAreEmitted) {
  EXPECT_TRUE(build("inline int f(int x) { return x + 1; }\n"
                    "kernel void k(global int* p) { p[0] = f(p[1]); }")
                  .ok);
}

TEST_F(CompileTest, EveryStandardCompiles) {
  const char* source = "kernel void k(global float4* p) { p[get_global_id(0)] = sqrt(p[0]); }";
  for (auto standard :
       {LanguageStandard::Default, LanguageStandard::CL10, LanguageStandard::CL11,
        LanguageStandard::CL12, LanguageStandard::CL20, LanguageStandard::CL30,
        LanguageStandard::CL31, LanguageStandard::CLCpp10, LanguageStandard::CLCpp2021}) {
    options.standard = standard;
    const Compiled result = compile(source);
    EXPECT_TRUE(result.ok) << static_cast<int>(standard) << ": " << result.log;
  }
}

TEST_F(CompileTest, EveryMathOptionCompiles) {
  options.singlePrecisionConstant = options.denormsAreZero = options.correctlyRoundedDivideSqrt =
      true;
  options.madEnable = options.noSignedZeros = options.unsafeMathOptimizations =
      options.finiteMathOnly = true;
  options.fastRelaxedMath = options.uniformWorkGroupSize = options.strictAliasing =
      options.kernelArgInfo = true;
  const Compiled result = compile("#ifndef __FAST_RELAXED_MATH__\n#error not defined\n#endif\n"
                                  "kernel void k(global float* p) { p[0] = p[1] / p[2] + 1.0; }");
  EXPECT_TRUE(result.ok) << result.log;
  EXPECT_EQ(result.log, "");
}

TEST_F(CompileTest, DeeplyNestedSourceIsAnErrorAndNoCrash) {
  std::string source = "kernel void k(global int* p) { p[0] = ";
  source += std::string(100000, '(') + "1" + std::string(100000, ')') + "; }";
  EXPECT_FALSE(compile(source).ok);
}

} // namespace
} // namespace quern::test
