// Programs whose kernels are compiled when they are needed.
#include "compiler_fixture.h"

namespace quern::test {
namespace {

using compiler::Generated;
using compiler::LanguageStandard;

class OnDemandTest : public CompilerTest {
protected:
  OnDemandTest() { options.firstVersion = options.kernelsOnDemand = true; }

  /// Two kernels, and what may make both an error.
  static std::string twoKernels(const std::string& first, const std::string& before = "") {
    return before + "kernel void a(global int* p, local int* q) { " + first +
           " } kernel void b(global float* p, int n) { p[get_global_id(0)] = sin(p[n]); }";
  }
  Generated buildAtOnce(const std::string& source) {
    options.kernelsOnDemand = false;
    Generated generated = build(source);
    options.kernelsOnDemand = true;
    return generated;
  }
};

TEST_F(OnDemandTest, SeveralKernelsAreDescribedWithoutCode) {
  const std::string source = twoKernels("barrier(CLK_LOCAL_MEM_FENCE); p[get_group_id(0)] = *q;");
  const Generated described = build(source);
  ASSERT_TRUE(described.ok) << described.log;
  EXPECT_TRUE(described.image.code.empty());
  const Generated full = buildAtOnce(source);
  EXPECT_FALSE(full.image.code.empty());
  ASSERT_EQ(full.image.kernels.size(), described.image.kernels.size());
  for (const abi::KernelDescription& expected : full.image.kernels) {
    const abi::KernelDescription& found = kernel(described, expected.name);
    ASSERT_EQ(expected.arguments.size(), found.arguments.size());
    for (size_t i = 0; i < expected.arguments.size(); ++i) {
      EXPECT_EQ(expected.arguments[i].kind, found.arguments[i].kind);
      EXPECT_EQ(expected.arguments[i].offset, found.arguments[i].offset);
    }
    EXPECT_EQ(expected.argumentBlockBytes, found.argumentBlockBytes);
    EXPECT_TRUE(found.isFirstVersion);
  }
}

TEST_F(OnDemandTest, EachKernelHasItsCodeAlone) {
  options.onlyKernel = "b";
  const Generated alone = build(twoKernels("*p = *q;"));
  ASSERT_TRUE(alone.ok) << alone.log;
  EXPECT_FALSE(alone.image.code.empty());
  ASSERT_EQ(1u, alone.image.kernels.size());
  EXPECT_TRUE(kernel(alone, "b").isFirstVersion);
}

TEST_F(OnDemandTest, WhatCannotBeApartHasItsCodeAtOnce) {
  options.standard = LanguageStandard::CL30;
  target.features.push_back("__opencl_c_device_enqueue");
  for (const std::string& source :
       {std::string("kernel void a(global int* p) { *p = 1; }"),
        twoKernels("*p = counter++;", "global int counter;"),
        twoKernels("enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ *p = 1; });")}) {
    const Generated generated = build(source);
    EXPECT_TRUE(generated.ok) << generated.log;
    EXPECT_FALSE(generated.image.code.empty()) << source;
  }
  options.debugInfo = true;
  EXPECT_FALSE(build(twoKernels("*p = 1;")).image.code.empty());
}

TEST_F(OnDemandTest, ErrorsAreThoseOfTheWholeProgram) {
  for (const std::string& source :
       {twoKernels("*p = missing(*q);", "int missing(int);"),
        twoKernels("*p = missing;", "extern constant int missing;"),
        twoKernels("__asm__ volatile(\"int3\");"), twoKernels("*p = 1;", "__asm__(\"int3\");"),
        twoKernels("f(p);",
                   "void f(global int* p) { barrier(CLK_LOCAL_MEM_FENCE); if (p[0]--) f(p); }"),
        twoKernels("barrier(CLK_LOCAL_MEM_FENCE); if (*p) a(p, q);")}) {
    const Generated expected = buildAtOnce(source), found = build(source);
    EXPECT_FALSE(expected.ok) << source;
    EXPECT_FALSE(found.ok) << source;
    EXPECT_EQ(expected.log, found.log);
  }
}

TEST_F(OnDemandTest, CallsThatNobodyReachesAreNoErrors) {
  const Generated generated =
      build(twoKernels("int none = *q & 0; if (none) *p = missing(*q);", "int missing(int);"));
  EXPECT_TRUE(generated.ok) << generated.log;
  EXPECT_TRUE(generated.image.code.empty());
}

} // namespace
} // namespace quern::test
