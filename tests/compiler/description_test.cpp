#include "compiler_fixture.h"

namespace quern::test {
namespace {

using abi::ArgumentKind;
using abi::KernelArgument;
using abi::KernelDescription;
using compiler::Generated;

class DescriptionTest : public CompilerTest {};

TEST_F(DescriptionTest, ArgumentsLieAtTheirNaturalAlignment) {
  const Generated generated = build("typedef struct { char c; long l; } S;\n"
                                    "kernel void k(char c, float3 f3, global int* g, local float4* "
                                    "l, constant int* n, S s, short h) {}");
  const KernelDescription& k = kernel(generated, "k");
  ASSERT_EQ(k.arguments.size(), 7u);
  const auto expect = [&](unsigned index, ArgumentKind kind, uint32_t offset, uint32_t bytes) {
    EXPECT_EQ(k.arguments[index].kind, kind) << index;
    EXPECT_EQ(k.arguments[index].offset, offset) << index;
    EXPECT_EQ(k.arguments[index].bytes, bytes) << index;
  };
  expect(0, ArgumentKind::Value, 0, 1);
  expect(1, ArgumentKind::Value, 16, 16);
  expect(2, ArgumentKind::Global, 32, 8);
  expect(3, ArgumentKind::Local, 40, 8);
  expect(4, ArgumentKind::Constant, 48, 8);
  expect(5, ArgumentKind::Value, 56, 16);
  expect(6, ArgumentKind::Value, 72, 2);
  EXPECT_EQ(k.argumentBlockBytes, 74u);
  // Of any type: kernels take local memory for what it was not declared as.
  EXPECT_EQ(k.arguments[3].alignment, 128u);
}

TEST_F(DescriptionTest, ArgumentInfoIsThereWhenAskedFor) {
  const char* source = "kernel void k(global const volatile uint* restrict p, constant float4* c, "
                       "int n, local char* l) {}";
  EXPECT_EQ(kernel(build(source), "k").arguments[0].name, "");
  options.kernelArgInfo = true;
  const Generated generated = build(source);
  const auto& arguments = kernel(generated, "k").arguments;
  EXPECT_EQ(arguments[0].name, "p");
  EXPECT_EQ(arguments[0].typeName, "uint*");
  EXPECT_EQ(arguments[0].addressQualifier, static_cast<cl_uint>(CL_KERNEL_ARG_ADDRESS_GLOBAL));
  EXPECT_EQ(arguments[0].typeQualifier,
            static_cast<cl_bitfield>(CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_VOLATILE |
                                     CL_KERNEL_ARG_TYPE_RESTRICT));
  EXPECT_EQ(arguments[1].typeName, "float4*");
  EXPECT_EQ(arguments[1].addressQualifier, static_cast<cl_uint>(CL_KERNEL_ARG_ADDRESS_CONSTANT));
  EXPECT_EQ(arguments[2].typeName, "int");
  EXPECT_EQ(arguments[2].addressQualifier, static_cast<cl_uint>(CL_KERNEL_ARG_ADDRESS_PRIVATE));
  EXPECT_EQ(arguments[3].addressQualifier, static_cast<cl_uint>(CL_KERNEL_ARG_ADDRESS_LOCAL));
  EXPECT_EQ(arguments[3].accessQualifier, static_cast<cl_uint>(CL_KERNEL_ARG_ACCESS_NONE));
}

TEST_F(DescriptionTest, ArgumentInfoSurvivesLinking) {
  options.kernelArgInfo = true;
  const compiler::Compiled compiled = compile("kernel void k(int some_name) {}");
  options.kernelArgInfo = false;
  const compiler::Compiled linked = link({compiled.ir});
  const Generated generated = compiler.generate(linked.ir, options, target, dump);
  EXPECT_EQ(kernel(generated, "k").arguments[0].name, "some_name");
}

TEST_F(DescriptionTest, AttributesArePrintedAsInTheSource) {
  const Generated generated =
      build("kernel __attribute__((reqd_work_group_size(8,4,1))) void required() {}\n"
            "kernel __attribute__((work_group_size_hint(2,3,4))) "
            "__attribute__((vec_type_hint(uint4))) void hinted() {}\n"
            "kernel __attribute__((vec_type_hint(double16))) void wide() {}\n"
            "kernel void plain() {}");
  EXPECT_EQ(kernel(generated, "required").attributes, "reqd_work_group_size(8,4,1)");
  EXPECT_EQ(kernel(generated, "required").requiredWorkGroupSize,
            (std::array<uint64_t, 3>{8, 4, 1}));
  EXPECT_EQ(kernel(generated, "hinted").attributes,
            "work_group_size_hint(2,3,4) vec_type_hint(uint4)");
  EXPECT_EQ(kernel(generated, "hinted").workGroupSizeHint, (std::array<uint64_t, 3>{2, 3, 4}));
  EXPECT_EQ(kernel(generated, "hinted").requiredWorkGroupSize, (std::array<uint64_t, 3>{0, 0, 0}));
  EXPECT_EQ(kernel(generated, "wide").attributes, "vec_type_hint(double16)");
  EXPECT_EQ(kernel(generated, "plain").attributes, "");
}

TEST_F(DescriptionTest, MemoryIsCounted) {
  options.standard = compiler::LanguageStandard::CL30;
  const Generated generated = build(R"(
    global int counter[10];
    kernel void locals(global int* p) {
      local float a[100]; local int b;
      a[get_local_id(0)] = p[0]; b = 1; barrier(CLK_LOCAL_MEM_FENCE); p[0] = a[1] + b;
    }
    kernel void crossing(global int* p) {
      int x[16];
      for (int i = 0; i < 16; ++i) x[i] = p[i];
      barrier(CLK_LOCAL_MEM_FENCE);
      p[0] = x[p[20] & 15];
    }
    kernel void large(global int* p) {
      int x[50000];
      for (int i = 0; i < 50000; ++i) x[i] = p[i];
      p[0] = x[p[0]];
    }
    kernel void plain(global int* p) { p[get_global_id(0)] = counter[0]; })");
  ASSERT_TRUE(generated.ok) << generated.log;
  EXPECT_GE(kernel(generated, "locals").localBytes, 404u);
  EXPECT_GE(kernel(generated, "crossing").contextItemBytes, 64u);
  EXPECT_GE(kernel(generated, "crossing").privateBytes, 64u);
  EXPECT_GE(kernel(generated, "large").contextUniformBytes, 200000u);
  EXPECT_EQ(kernel(generated, "large").contextItemBytes, 0u);
  EXPECT_EQ(kernel(generated, "plain").contextItemBytes, 0u);
  EXPECT_EQ(kernel(generated, "plain").privateBytes, 0u);
  EXPECT_EQ(kernel(generated, "plain").localBytes, 0u);
  EXPECT_EQ(generated.image.globalVariableBytes, 40u);
}

TEST_F(DescriptionTest, EveryKernelHasAnEntryOfItsOwn) {
  const Generated generated = build("kernel void a(global int* p) { p[0] = 1; }\n"
                                    "kernel void b(global int* p) { p[0] = 2; }");
  ASSERT_EQ(generated.image.kernels.size(), 2u);
  EXPECT_NE(generated.image.kernels[0].entrySymbol, generated.image.kernels[1].entrySymbol);
  for (const KernelDescription& k : generated.image.kernels)
    EXPECT_FALSE(k.entrySymbol.empty());
}

} // namespace
} // namespace quern::test
