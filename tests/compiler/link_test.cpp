#include "compiler_fixture.h"

namespace quern::test {
namespace {

using compiler::Compiled;
using compiler::Generated;

class LinkTest : public CompilerTest {};

TEST_F(LinkTest, FunctionsOfOneProgramCallThoseOfAnother) {
  const Compiled a = compile("int f(int x) { return x * 2; }");
  const Compiled b = compile("int f(int); kernel void k(global int* p) { p[0] = f(p[0]); }");
  const Compiled linked = link({a.ir, b.ir});
  ASSERT_TRUE(linked.ok) << linked.log;
  const Generated generated = compiler.generate(linked.ir, options, target, dump);
  EXPECT_TRUE(generated.ok) << generated.log;
  EXPECT_EQ(generated.image.kernels.size(), 1u);
}

TEST_F(LinkTest, TwoDefinitionsAreAnErrorThatNamesTheFunction) {
  const Compiled a = compile("int twice(int x) { return x; }");
  const Compiled b = compile("int twice(int x) { return x + 1; }");
  const Compiled linked = link({a.ir, b.ir});
  EXPECT_FALSE(linked.ok);
  EXPECT_TRUE(contains(linked.log, "twice")) << linked.log;
}

TEST_F(LinkTest, ALibraryMayLackFunctions) {
  options.createLibrary = true;
  const Compiled library =
      link({compile("int missing(int); int f(int x) { return missing(x); }").ir});
  ASSERT_TRUE(library.ok) << library.log;
  options.createLibrary = false;
  const Compiled rest = compile(
      "int missing(int x) { return x; } int f(int); kernel void k(global int* p) { p[0] = f(1); }");
  const Compiled linked = link({library.ir, rest.ir});
  ASSERT_TRUE(linked.ok) << linked.log;
  EXPECT_TRUE(compiler.generate(linked.ir, options, target, dump).ok);
}

TEST_F(LinkTest, AnUndefinedFunctionIsNamedWhenCodeIsGenerated) {
  const Generated generated =
      build("int missing(int); kernel void caller(global int* p) { p[0] = missing(1); }");
  EXPECT_FALSE(generated.ok);
  EXPECT_TRUE(contains(generated.log, "undefined function 'missing'")) << generated.log;
  EXPECT_TRUE(contains(generated.log, "kernel 'caller'")) << generated.log;
}

TEST_F(LinkTest, WhatIsNoProgramIsAnError) {
  const Bytes garbage(100, std::byte{0x5a});
  const Compiled linked = link({garbage});
  EXPECT_FALSE(linked.ok);
  EXPECT_TRUE(contains(linked.log, "cannot be read")) << linked.log;
  EXPECT_FALSE(compiler.generate(garbage, options, target, dump).ok);
  EXPECT_FALSE(compiler.generate({}, options, target, dump).ok);
}

TEST_F(LinkTest, ATruncatedProgramIsAnError) {
  Bytes ir = compile("kernel void k(global int* p) { p[0] = 1; }").ir;
  ir.resize(ir.size() / 2);
  EXPECT_FALSE(link({ir}).ok);
}

} // namespace
} // namespace quern::test
