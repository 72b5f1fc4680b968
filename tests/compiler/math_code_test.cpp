// What the options that relax arithmetic make of the code: each is seen to change what it may, and
// nothing without it.
#include "compiler_fixture.h"

namespace quern::test {
namespace {

class MathCodeTest : public CompilerTest {
protected:
  MathCodeTest() { target.description = "x86_64;cpu=x86-64-v3;features="; }

  /// The program in the form after a step, or the assembly of the whole.
  std::string print(std::string_view form, std::string_view step = "") {
    const compiler::Compiled compiled = compile(source);
    EXPECT_TRUE(compiled.ok) << compiled.log;
    Result<std::string> text = compiler.print(compiled.ir, options, target, form, step);
    EXPECT_TRUE(text.ok()) << text.status().sentence();
    return text.ok() ? text.value() : std::string();
  }

  /// Whether the optimised code has `part` without and with an option.
  void expectIn(std::string_view form, std::string_view part, bool without, bool with,
                bool compiler::Options::* option) {
    EXPECT_EQ(contains(print(form), part), without) << part;
    options.*option = true;
    EXPECT_EQ(contains(print(form), part), with) << part;
  }

  std::string_view source;
};

TEST_F(MathCodeTest, MadEnableFusesAcrossStatements) {
  source = R"(kernel void k(global float* p) {
    float product = p[0] * p[1];
    float sum = product + p[2];
    p[3] = sum;
  })";
  expectIn("asm", "vfmadd", false, true, &compiler::Options::madEnable);
}

TEST_F(MathCodeTest, ExpressionsAreContractedUnlessTheProgramForbidsIt) {
  source = R"(kernel void k(global float* p) { p[3] = p[0] * p[1] + p[2]; })";
  EXPECT_TRUE(contains(print("asm"), "vfmadd"));
  source = R"(
    #pragma OPENCL FP_CONTRACT OFF
    kernel void k(global float* p) { p[3] = p[0] * p[1] + p[2]; })";
  EXPECT_FALSE(contains(print("asm"), "vfmadd"));
  options.madEnable = true;
  EXPECT_FALSE(contains(print("asm"), "vfmadd"));
}

TEST_F(MathCodeTest, NoSignedZerosDropsTheAdditionOfZero) {
  source = "kernel void k(global float* p) { p[1] = p[0] + 0.0f; }";
  expectIn("llvm", "fadd", true, false, &compiler::Options::noSignedZeros);
}

/// OpenCL C 3.0, 6.15.2. Clang's own function does.
TEST_F(MathCodeTest, ExtremaDoNotOrderZeros) {
  source = "kernel void k(global float* p) { p[2] = fmax(p[0], p[1]); }";
  EXPECT_TRUE(contains(print("llvm"), "call nsz float @llvm.maximumnum"));
  source =
      "kernel void k(global float* p) { p[2] = __builtin_elementwise_maximumnum(p[0], p[1]); }";
  EXPECT_TRUE(contains(print("llvm"), "call float @llvm.maximumnum"));
}

TEST_F(MathCodeTest, FiniteMathOnlyDropsTestsForNan) {
  source = "kernel void k(global float* p) { p[1] = p[0] * 2 != p[0] * 2 ? 3 : p[0]; }";
  expectIn("llvm", "fcmp", true, false, &compiler::Options::finiteMathOnly);
}

TEST_F(MathCodeTest, UnsafeMathOptimizationsReassociate) {
  source = "kernel void k(global float* p) { p[2] = (p[0] + p[1]) - p[0]; }";
  expectIn("llvm", "fsub", true, false, &compiler::Options::unsafeMathOptimizations);
}

TEST_F(MathCodeTest, RelaxedMathCallsFasterFunctions) {
  source = "kernel void k(global float* p) { p[1] = sin(p[0]); p[2] = sqrt(p[1]); }";
  EXPECT_TRUE(contains(print("llvm", "relax"), "@_Z3sinf("));
  options.fastRelaxedMath = true;
  EXPECT_TRUE(contains(print("llvm", "relax"), "@_Z13__relaxed_sinf("));
  EXPECT_TRUE(contains(print("llvm", "relax"), "@llvm.sqrt.f32("));
  options.fastRelaxedMath = false;
  options.unsafeMathOptimizations = true;
  EXPECT_TRUE(contains(print("llvm", "relax"), "@_Z13__relaxed_sinf("));
}

TEST_F(MathCodeTest, FastRelaxedMathEstimatesQuotientsOfVectors) {
  source = "kernel void k(global float8* p) { p[2] = p[0] / p[1]; }";
  expectIn("asm", "vrcpps", false, true, &compiler::Options::fastRelaxedMath);
}

TEST_F(MathCodeTest, CorrectlyRoundedDivisionNeedsNoPermission) {
  source = "kernel void k(global float* p) { p[2] = p[0] / p[1]; }";
  expectIn("llvm", "!fpmath", true, false, &compiler::Options::correctlyRoundedDivideSqrt);
}

TEST_F(MathCodeTest, SinglePrecisionConstantsKeepArithmeticInFloat) {
  source = "kernel void k(global float* p) { p[1] = p[0] * 0.1; }";
  expectIn("llvm", "fpext", true, false, &compiler::Options::singlePrecisionConstant);
}

TEST_F(MathCodeTest, DenormsAreZeroSetsTheProcessorsState) {
  source = "kernel void k(global float* p) { p[1] = exp(p[0]) * 2; }";
  expectIn("asm", "ldmxcsr", false, true, &compiler::Options::denormsAreZero);
}

/// Of a kernel without packets, which would leave the loop to those rare work-items that are in
/// none.
TEST_F(MathCodeTest, OptDisableKeepsLoops) {
  source = R"(kernel __attribute__((reqd_work_group_size(1, 1, 1))) void k(global int* p) {
    int sum = 0;
    for (int i = 0; i < 4; ++i)
      sum += p[i];
    p[4 + get_group_id(0)] = sum;
  })";
  expectIn("llvm", "phi i32 [ 0,", false, true, &compiler::Options::optDisable);
}

TEST_F(MathCodeTest, WorkItemsRunMathematicalFunctionsTogether) {
  const auto check = [&](const std::string& type, const std::string& call) {
    const std::string text = "kernel void k(global " + type +
                             "* p) { size_t i = get_global_id(0); " + type +
                             " x = p[i]; p[i] = " + call + "; }";
    source = text;
    const std::string code = print("llvm");
    EXPECT_TRUE(contains(code, " x " + type + ">")) << call << " of " << type;
    EXPECT_FALSE(contains(code, "call spir_func")) << call << " of " << type;
  };
  for (const char* call : {"exp(x)", "exp2(x)", "exp10(x)", "log(x)", "log2(x)", "log10(x)",
                           "pow(x, 2.5f)", "powr(x, 2.5f)", "pown(x, 3)", "rootn(x, 3)", "erf(x)",
                           "erfc(x)", "native_sin(x)", "native_log(x)"})
    check("float", call);
  for (const char* call : {"exp(x)", "exp2(x)", "exp10(x)", "log(x)", "log2(x)", "log10(x)",
                           "pow(x, 2.5)", "powr(x, 2.5)", "pown(x, 3)", "rootn(x, 3)"})
    check("double", call);
  // Their table for large arguments needs fast gathers.
  target.description = "x86_64;cpu=x86-64-v4;features=";
  for (const char* call : {"sin(x)", "cos(x)", "tan(x)"})
    check("float", call);
}

/// LLVM's vectoriser would run the way for large arguments for all of them.
TEST_F(MathCodeTest, RareWaysOfFunctionsAreSkipped) {
  for (const char* call : {"sin(x)", "cos(x)", "tan(x)"}) {
    const std::string text = std::string("kernel void k(global double* p) { size_t i = "
                                         "get_global_id(0); double x = p[i]; p[i] = ") +
                             call + "; }";
    source = text;
    const std::string report = print("report");
    EXPECT_TRUE(contains(report, "packets of ")) << call << ": " << report;
    EXPECT_TRUE(contains(report, "any-branch")) << call << ": " << report;
  }
}

} // namespace
} // namespace quern::test
