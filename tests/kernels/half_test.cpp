// Arithmetic, functions and conversions of half in kernels, against the host's own half.
#include "kernels/kernel_fixture.h"

#include <bit>
#include <cmath>

namespace quern::tests {
namespace {

using Number = _Float16;

cl_half bitsOf(Number x) {
  return std::bit_cast<cl_half>(x);
}
Number numberOf(cl_half bits) {
  return std::bit_cast<Number>(bits);
}

constexpr const char* source = R"(
  #pragma OPENCL EXTENSION cl_khr_fp16 : enable
  kernel void scalar(global const half* a, global const half* b, global half* out) {
    size_t i = get_global_id(0);
    out[6 * i] = a[i] + b[i];
    out[6 * i + 1] = a[i] * b[i];
    out[6 * i + 2] = a[i] / b[i];
    out[6 * i + 3] = fma(a[i], b[i], a[i]);
    out[6 * i + 4] = sqrt(fabs(a[i]));
    out[6 * i + 5] = a[i] < b[i] ? -a[i] : (half)((int)i);
  }
  kernel void vector(global const half4* a, global half4* out, global int* rounded, local half* scratch) {
    size_t i = get_local_id(0);
    vstore4(a[i], i, scratch);
    barrier(CLK_LOCAL_MEM_FENCE);
    half4 other = vload4(get_local_size(0) - 1 - i, scratch);
    out[i] = clamp(other, (half)-2, (half)2) + exp2((half4)(0, 1, 2, 3));
    rounded[i] = convert_int_sat_rtn(other.y);
  })";

class Half : public ::testing::Test {
protected:
  static constexpr size_t count = 4096;

  void SetUp() override {
    QUERN_NEEDS("cl_khr_fp16");
    for (size_t i = 0; i < count; ++i) {
      // All exponents and signs; NaN and infinity too.
      a.push_back(static_cast<cl_half>(i * 16 + 3));
      b.push_back(static_cast<cl_half>(i * 48271));
    }
  }

  std::vector<cl_half> a, b;
};

void expectSame(cl_half actual, Number expected, const char* what, size_t i) {
  if (expected != expected)
    EXPECT_TRUE(numberOf(actual) != numberOf(actual)) << what << " of element " << i;
  else
    EXPECT_EQ(actual, bitsOf(expected)) << what << " of element " << i;
}

TEST_F(Half, arithmeticIsRoundedToHalf) {
  Buffer<cl_half> bufferA(a), bufferB(b), out(6 * count);
  run(build(source), "scalar", {{count}}, bufferA, bufferB, out);
  const std::vector<cl_half> result = out.read();
  for (size_t i = 0; i < count; ++i) {
    const Number x = numberOf(a[i]), y = numberOf(b[i]);
    const auto wide = static_cast<double>(x);
    expectSame(result[6 * i], x + y, "sum", i);
    expectSame(result[6 * i + 1], x * y, "product", i);
    expectSame(result[6 * i + 2], x / y, "quotient", i);
    expectSame(result[6 * i + 3], static_cast<Number>(wide * static_cast<double>(y) + wide), "fma",
               i);
    expectSame(result[6 * i + 4], static_cast<Number>(std::sqrt(std::fabs(wide))), "root", i);
    expectSame(result[6 * i + 5], x < y ? -x : static_cast<Number>(static_cast<float>(i)), "choice",
               i);
  }
}

TEST_F(Half, vectorsFunctionsAndConversions) {
  constexpr size_t items = 64;
  std::vector<cl_half> in = tabulate<cl_half>(4 * items, [](size_t i) {
    return bitsOf(static_cast<Number>(static_cast<float>(i) * 0.37f - 40));
  });
  Buffer<cl_half> bufferIn(in), out(4 * items);
  Buffer<cl_int> rounded(items);
  run(build(source), "vector", {{items}, {items}}, bufferIn, out, rounded,
      LocalBytes{4 * items * sizeof(cl_half)});
  const std::vector<cl_half> result = out.read();
  const std::vector<cl_int> integers = rounded.read();
  for (size_t i = 0; i < items; ++i)
    for (size_t lane = 0; lane < 4; ++lane) {
      const Number x = numberOf(in[4 * (items - 1 - i) + lane]);
      const Number bounded = x < -2 ? Number(-2) : x > 2 ? Number(2) : x;
      expectSame(result[4 * i + lane], bounded + static_cast<Number>(1 << lane), "sum", i);
      if (lane == 1)
        EXPECT_EQ(integers[i], static_cast<cl_int>(std::floor(static_cast<float>(x)))) << i;
    }
}

} // namespace
} // namespace quern::tests
