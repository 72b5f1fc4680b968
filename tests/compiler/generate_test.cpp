#include "compiler_fixture.h"

namespace quern::test {
namespace {

using compiler::Generated;
using compiler::LanguageStandard;

class GenerateTest : public CompilerTest {};

TEST_F(GenerateTest, TheCodeIsAnElfObject) {
  const Generated generated = build("kernel void k(global int* p) { p[get_global_id(0)] = 1; }");
  ASSERT_TRUE(generated.ok) << generated.log;
  ASSERT_GT(generated.image.code.size(), 64u);
  EXPECT_EQ(generated.image.code[0], std::byte{0x7f});
  EXPECT_EQ(generated.image.code[1], std::byte{'E'});
  EXPECT_EQ(generated.image.code[16], std::byte{1}); // ET_REL
}

TEST_F(GenerateTest, TheSameProgramGivesTheSameCode) {
  const char* source = "kernel void k(global float* p) { p[get_global_id(0)] = sin(p[0]); }";
  EXPECT_EQ(build(source).image.code, build(source).image.code);
}

TEST_F(GenerateTest, AnUnknownArchitectureIsAnErrorThatNamesIt) {
  target.description = "riscv64;cpu=any";
  const Generated generated = build("kernel void k(global int* p) { p[0] = 1; }");
  EXPECT_FALSE(generated.ok);
  EXPECT_TRUE(contains(generated.log, "riscv64")) << generated.log;
}

TEST_F(GenerateTest, EveryLevelOfTheArchitectureWorks) {
  for (const char* cpu : {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4", "native"}) {
    target.description = std::string("x86_64;cpu=") + cpu;
    const Generated generated = build(
        "kernel void k(global double8* p) { p[get_global_id(0)] = fma(p[0], p[1], floor(p[2])); }");
    EXPECT_TRUE(generated.ok) << cpu << ": " << generated.log;
  }
}

constexpr const char* twoKernels = "kernel void a(global float* p, global const float* q) {"
                                   "  float s = 0; for (int i = 0; i < 99; ++i) s += sin(q[i]);"
                                   "  p[get_global_id(0)] = s; }"
                                   "kernel void b(global int* p) { local int x[8];"
                                   "  x[get_local_id(0)] = p[0]; barrier(CLK_LOCAL_MEM_FENCE);"
                                   "  p[get_global_id(0)] = x[get_local_size(0) - 1]; }";

TEST_F(GenerateTest, AFirstVersionIsSmallerAndSaysWhatItIs) {
  const Generated full = build(twoKernels);
  options.firstVersion = true;
  const Generated first = build(twoKernels);
  ASSERT_TRUE(first.ok) << first.log;
  EXPECT_FALSE(kernel(full, "a").isFirstVersion);
  EXPECT_TRUE(kernel(first, "a").isFirstVersion);
  EXPECT_NE(0u, kernel(first, "a").flatDimensions);
  EXPECT_EQ(0u, kernel(first, "b").flatDimensions);
  EXPECT_LT(first.image.code.size(), full.image.code.size());
}

TEST_F(GenerateTest, KernelsThatCountInTablesSaySo) {
  const Generated generated =
      build("kernel void a(global const int* restrict values, int n, global int* restrict counts) {"
            "  for (int i = get_global_id(0); i < n; i += get_global_size(0))"
            "    atomic_inc(&counts[values[i]]); }"
            "kernel void b(global int* counts) { counts[get_global_id(0)]++; }");
  EXPECT_TRUE(kernel(generated, "a").countsApart);
  EXPECT_FALSE(kernel(generated, "b").countsApart);
}

// A second version would have variables of its own; and nobody wants to debug two.
TEST_F(GenerateTest, WhatCannotBeReplacedIsNoFirstVersion) {
  options.firstVersion = true;
  options.standard = LanguageStandard::CL20;
  EXPECT_FALSE(kernel(build("global int n = 3; kernel void k(global int* p) { p[0] = n++; }"), "k")
                   .isFirstVersion);
  options.debugInfo = true;
  EXPECT_FALSE(kernel(build(twoKernels), "a").isFirstVersion);
  options.debugInfo = false;
  options.optDisable = true;
  EXPECT_FALSE(kernel(build(twoKernels), "a").isFirstVersion);
}

TEST_F(GenerateTest, AVariantHasOneKernelAndItsFacts) {
  options.onlyKernel = "b";
  options.facts = {{8, 1, 1}, true, true};
  const Generated variant = build(twoKernels);
  ASSERT_TRUE(variant.ok) << variant.log;
  ASSERT_EQ(variant.image.kernels.size(), 1u);
  EXPECT_EQ(kernel(variant, "b").facts, options.facts);
  EXPECT_EQ(kernel(variant, "b").requiredWorkGroupSize, (std::array<uint64_t, 3>{0, 0, 0}));
}

TEST_F(GenerateTest, RecursionWithBarriersIsAnError) {
  const Generated generated =
      build("void f(global int* p) { barrier(CLK_LOCAL_MEM_FENCE); if (p[0]--) f(p); }\n"
            "kernel void k(global int* p) { f(p); }");
  EXPECT_FALSE(generated.ok);
  EXPECT_TRUE(contains(generated.log, "'f' calls itself")) << generated.log;
}

TEST_F(GenerateTest, InlineAssemblyIsRejected) {
  EXPECT_FALSE(build("kernel void k(global int* p) { __asm__ volatile(\"int3\"); }").ok);
  EXPECT_FALSE(build("__asm__(\"int3\"); kernel void k(global int* p) {}").ok);
}

TEST_F(GenerateTest, NoHostFunctionIsReachable) {
  for (const char* source :
       {"void exit(int); kernel void k(global int* p) { exit(p[0]); }",
        "kernel void k(global float* p) { p[0] = __builtin_lroundf(p[0]); }",
        "kernel void k(global int* p) { p[0] = (int)(size_t)__builtin_malloc(4); }"})
    EXPECT_FALSE(build(source).ok) << source;
}

TEST_F(GenerateTest, WithoutOptimisationTheCodeIsGeneratedToo) {
  options.optDisable = true;
  const Generated generated = build("kernel void k(global int* p) { local int x; x = p[0]; "
                                    "barrier(CLK_LOCAL_MEM_FENCE); p[1] = x; }");
  EXPECT_TRUE(generated.ok) << generated.log;
}

TEST_F(GenerateTest, DebugInformationNamesTheSource) {
  options.debugInfo = true;
  const Generated generated = build("kernel void k(global int* p) {\n  local int x;\n  x = p[0];\n"
                                    "  barrier(CLK_LOCAL_MEM_FENCE);\n  p[1] = x;\n}");
  ASSERT_TRUE(generated.ok) << generated.log;
  const auto* code = reinterpret_cast<const char*>(generated.image.code.data());
  const std::string_view object(code, generated.image.code.size());
  EXPECT_TRUE(contains(object, ".debug_line"));
  EXPECT_TRUE(contains(object, "program.cl"));
}

// Copies of every one of very many loops would take seconds to allocate registers for.
TEST_F(GenerateTest, LoopsOfLongFunctionsAreNotUnrolled) {
  const auto bytesPerLoop = [&](unsigned loops) {
    std::string source =
        "kernel void k(global float* p, int n) { int i = get_global_id(0); float x = 1, y = p[i];";
    for (unsigned loop = 0; loop < loops; ++loop)
      source += "for (int j = 0; j < n; ++j) { x = x * y + " + std::to_string(loop) +
                ".5f; y = fabs(y - x) * p[j]; }";
    const Generated generated = build(source + "p[i] = x + y; }");
    EXPECT_TRUE(generated.ok) << generated.log;
    return double(generated.image.code.size()) / loops;
  };
  target.description += ";packets=off";
  EXPECT_LT(bytesPerLoop(250), 0.6 * bytesPerLoop(10));
}

// Neither by us nor by LLVM's inliner, which looks at one call after the other: a loop within the
// one over work-items takes time that grows with their number.
TEST_F(GenerateTest, FunctionsWithLoopsAreNotInlinedInHundredsOfPlaces) {
  const auto bytesPerCall = [&](unsigned calls) {
    std::string source =
        "void f(global float* p, const uchar* a, const uchar* b, int n) {"
        "  for (int i = 0; i < n; ++i) if (a[i] != b[i]) { p[i] = sin(p[i]) + p[i + n] * 3;"
        "    for (int j = 0; j < i; ++j) p[j] += 0.5f; } }"
        "kernel void k(global float* p) { uchar x[64]; for (int i = 0; i < 64; ++i) x[i] = p[i];";
    for (unsigned call = 0; call < calls; ++call)
      source += "{ uchar y[16]; vstore16((uchar16)(x[" + std::to_string(call % 64) +
                "]), 0, y); f(p, x, y, 16); }";
    const Generated generated = build(source + "}");
    EXPECT_TRUE(generated.ok) << generated.log;
    return double(generated.image.code.size()) / calls;
  };
  target.description += ";packets=off";
  EXPECT_GT(bytesPerCall(4), 1000);
  for (const bool isFirst : {false, true}) {
    options.firstVersion = isFirst;
    EXPECT_LT(bytesPerCall(500), 150);
  }
}

TEST_F(GenerateTest, ConstructorsRunInTheCompilerOrAreAnError) {
  options.standard = LanguageStandard::CLCpp2021;
  EXPECT_TRUE(build("struct A { int v; A(int x) : v(x + 1) {} }; global A a(3);\n"
                    "kernel void k(global int* p) { p[0] = a.v; }")
                  .ok);
  const Generated generated =
      build("struct A { int v; A(int x) : v(x + 1) {} ~A(); }; global int n; global A a(n++ + 1);\n"
            "kernel void k(global int* p) { p[0] = a.v; }");
  EXPECT_FALSE(generated.ok);
}

} // namespace
} // namespace quern::test
