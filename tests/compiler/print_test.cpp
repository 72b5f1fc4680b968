#include "base/sentence.h"
#include "compiler_fixture.h"

namespace quern::test {
namespace {

class PrintTest : public CompilerTest {
protected:
  std::string
  print(std::string_view form, std::string_view step,
        std::string_view source = "kernel void k(global int* p) { p[get_global_id(0)] = 1; }") {
    const compiler::Compiled compiled = compile(source);
    Result<std::string> text = compiler.print(compiled.ir, options, target, form, step);
    EXPECT_TRUE(text.ok()) << text.status().sentence();
    return text.ok() ? text.value() : std::string();
  }
};

TEST_F(PrintTest, AssemblyHasTheEntry) {
  EXPECT_TRUE(contains(print("asm", ""), "quern.kernel.k"));
}

TEST_F(PrintTest, IntermediateCodeIsPrintedAfterTheStepAskedFor) {
  EXPECT_TRUE(contains(print("llvm", "link-builtins"), "__clang_ocl_kern_imp_k"));
  EXPECT_TRUE(contains(print("llvm", "form-regions"), "k.region.0"));
  EXPECT_FALSE(contains(print("llvm", ""), "k.region.0"));
  EXPECT_TRUE(contains(print("llvm", ""), "quern.kernel.k"));
}

TEST_F(PrintTest, WhatIsKnownOfLaunchesReachesTheKernel) {
  const std::string source =
      "kernel void k(global int* p, global const int* q) { p[get_local_id(0)] = q[0]; }";
  options.onlyKernel = "k";
  options.facts = {{8, 2, 1}, true, true};
  const std::string text = print("llvm", "clean-up", source);
  EXPECT_TRUE(contains(text, "ptr addrspace(1) noalias")) << text;
  EXPECT_TRUE(contains(text, "!{i32 8, i32 2, i32 1}")) << text;
  options.facts = {};
  EXPECT_FALSE(contains(print("llvm", "clean-up", source), "ptr addrspace(1) noalias"));
}

// Pointers that do not come from arguments may lead to the same memory.
TEST_F(PrintTest, DisjointBuffersAreNoUseWherePointersComeFromElsewhere) {
  options.onlyKernel = "k";
  options.facts.disjointMemory = true;
  for (const char* body : {"p[0] = *(global int*)n;", "p[0] = *(global int*)q[0];"}) {
    const std::string text =
        print("llvm", "clean-up",
              sentence("kernel void k(global int* p, global ulong* q, ulong n) { ", body, " }"));
    EXPECT_FALSE(contains(text, "ptr addrspace(1) noalias")) << text;
  }
}

TEST_F(PrintTest, UnknownFormsAndStepsAreNamed) {
  const compiler::Compiled compiled = compile("kernel void k() {}");
  const auto form = compiler.print(compiled.ir, options, target, "poetry", "");
  ASSERT_FALSE(form.ok());
  EXPECT_TRUE(contains(form.status().sentence(), "poetry"));
  const auto step = compiler.print(compiled.ir, options, target, "llvm", "nonsense");
  ASSERT_FALSE(step.ok());
  EXPECT_TRUE(contains(step.status().sentence(), "nonsense"));
}

TEST_F(PrintTest, StepsHaveNames) {
  EXPECT_FALSE(compiler.steps(target).empty());
}

TEST_F(PrintTest, AnotherInterfaceVersionIsRefused) {
  EXPECT_EQ(quernCompiler(compiler::interfaceVersion + 1), nullptr);
}

} // namespace
} // namespace quern::test
