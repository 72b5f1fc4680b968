// What becomes of programs for NVIDIA's GPUs, as text of PTX.
#include "compiler_fixture.h"

namespace quern::test {
namespace {

class NvptxTest : public CompilerTest {
protected:
  NvptxTest() { target.description = "nvptx64;cpu=sm_90;features=+ptx78;sub-group=32"; }

  std::string ptx(std::string_view source) {
    const compiler::Generated generated = build(source);
    EXPECT_TRUE(generated.ok) << generated.log;
    const Bytes& code = generated.image.code;
    return {reinterpret_cast<const char*>(code.data()), code.size()};
  }
};

size_t count(std::string_view text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST_F(NvptxTest, ProductsAndSumsAreRoundedTogetherAcrossStatements) {
  const char* body =
      "kernel void k(global float* p) { float product = p[0] * p[1]; p[2] += product; }";
  EXPECT_TRUE(contains(ptx(body), "fma.rn.f32"));
  const std::string pragma = "#pragma OPENCL FP_CONTRACT OFF\n";
  EXPECT_FALSE(contains(ptx(pragma + body), "fma.rn.f32"));
}

TEST_F(NvptxTest, ExponentialIsTheHardwares) {
  const std::string code = ptx("kernel void k(global float* p) { p[0] = exp(p[1]); }");
  EXPECT_EQ(count(code, "ex2.approx.ftz.f32"), 1u);
  EXPECT_EQ(count(code, "cvt.sat.f32.f32"), 1u);
  EXPECT_FALSE(contains(code, "call")) << code;
}

/// Only for arguments that are rare is double needed.
TEST_F(NvptxTest, SineIsComputedInFloat) {
  const std::string code = ptx("kernel void k(global float* p) { p[0] = sin(p[1]); }");
  const size_t branch = code.find("bra");
  ASSERT_NE(branch, code.npos);
  EXPECT_FALSE(contains(code.substr(0, branch), "f64"));
}

TEST_F(NvptxTest, LogarithmOfDoubleDividesByTheHardwaresReciprocal) {
  const std::string code = ptx("kernel void k(global double* p) { p[0] = log(p[1]); }");
  EXPECT_TRUE(contains(code, "rcp.approx.ftz.f64"));
  EXPECT_FALSE(contains(code, "div.rn.f64"));
}

/// What is in the dynamic memory must be asked for in each launch.
TEST_F(NvptxTest, LargeLocalVariablesAreDescribed) {
  const compiler::Generated generated = build(R"(
    kernel void large(global int* p) {
      local int a[10000], b[10001];
      a[get_local_id(0)] = b[get_local_id(0)] = p[0];
      barrier(CLK_LOCAL_MEM_FENCE);
      p[0] = a[p[1]] + b[p[2]];
    }
    kernel void small(global int* p) {
      local int a[10000];
      a[get_local_id(0)] = p[0];
      barrier(CLK_LOCAL_MEM_FENCE);
      p[0] = a[p[1]];
    })");
  ASSERT_TRUE(generated.ok) << generated.log;
  ASSERT_EQ(generated.image.kernels.size(), 2u);
  EXPECT_EQ(generated.image.kernels[0].localBytes, 80'004u);
  EXPECT_EQ(generated.image.kernels[1].localBytes, 0u);
}

/// Kernels that enqueue others take the address of their records behind their own arguments, and
/// blocks what they captured.
TEST_F(NvptxTest, BlocksAreKernelsOfTheirOwn) {
  target.features.push_back("__opencl_c_device_enqueue");
  options.standard = compiler::LanguageStandard::CL30;
  const compiler::Generated generated = build(R"(
    kernel void k(queue_t q, global int* p, int n) {
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(n), ^{ p[get_global_id(0)] = n; });
    })");
  ASSERT_TRUE(generated.ok) << generated.log;
  const abi::KernelDescription& parent = kernel(generated, "k");
  const abi::KernelDescription& block = kernel(generated, "__k_block_invoke_kernel");
  EXPECT_TRUE(parent.enqueues && !parent.isBlock);
  EXPECT_EQ(parent.childrenOffset, 24u);
  EXPECT_EQ(parent.argumentBlockBytes, 32u);
  EXPECT_TRUE(block.isBlock && !block.enqueues);
  // Size, alignment, function, p and n.
  EXPECT_EQ(block.argumentBlockBytes, 28u);
}

/// With information for debuggers, all blocks of a function begin with one name.
TEST_F(NvptxTest, BlocksHaveNamesOfPtx) {
  target.features.push_back("__opencl_c_device_enqueue");
  options.standard = compiler::LanguageStandard::CL30;
  options.debugInfo = true;
  const compiler::Generated generated = build(R"(
    kernel void k(queue_t q, global int* p) {
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ p[0] = 1; });
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ p[1] = 2; });
    })");
  ASSERT_TRUE(generated.ok) << generated.log;
  ASSERT_EQ(generated.image.kernels.size(), 3u);
  for (const abi::KernelDescription& kernel : generated.image.kernels)
    EXPECT_EQ(kernel.name.find('.'), std::string::npos) << kernel.name;
}

TEST_F(NvptxTest, IdsOfOtherDimensionsSurviveTheBoundOnWorkGroups) {
  const std::string code = ptx("kernel void k(global int* p) { p[get_global_id(1)] = 1; }");
  EXPECT_TRUE(contains(code, ".maxntid 1024, 1, 1"));
  EXPECT_TRUE(contains(code, "%tid.y"));
}

} // namespace
} // namespace quern::test
