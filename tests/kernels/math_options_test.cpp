// Build options that change arithmetic: results stay within what each option allows.
#include "kernels/kernel_fixture.h"

#include <cmath>
#include <limits>

namespace quern::tests {
namespace {

constexpr const char* divergingSource = R"(
  kernel void k(global const float* in, global float* out, local float* l) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    float x = in[g], sum = 0;
    for (int t = 1; t <= 4; ++t)
      sum += sqrt(x * t) / (t + x) + exp(-x / t) * sin(x + t);
    l[i] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = mad(sum, 2.0f, l[n - 1 - i]) + native_cos(x) * 0 + dot((float4)(x), (float4)(1, 2, 3, 4));
  })";

TEST(MathOptions, everyOptionBuildsAndStaysAccurate) {
  constexpr size_t count = 128, local = 32;
  std::vector<cl_float> in = tabulate<cl_float>(count, [](size_t i) { return 0.25 + i * 0.05; });
  auto sum = [&](size_t g) {
    double x = in[g], total = 0;
    for (int t = 1; t <= 4; ++t)
      total += std::sqrt(x * t) / (t + x) + std::exp(-x / t) * std::sin(x + t);
    return total;
  };
  Buffer<cl_float> bufferIn(in);
  for (const char* options :
       {"", "-cl-opt-disable", "-cl-denorms-are-zero", "-cl-single-precision-constant",
        "-cl-mad-enable", "-cl-no-signed-zeros", "-cl-finite-math-only",
        "-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math",
        "-cl-fp32-correctly-rounded-divide-sqrt", "-cl-strict-aliasing", "-w", "-Werror", "-g",
        "-cl-kernel-arg-info",
        "-cl-mad-enable -cl-no-signed-zeros -cl-denorms-are-zero -cl-std=CL1.2"}) {
    SCOPED_TRACE(options);
    Buffer<cl_float> out(count);
    run(build(divergingSource, options), "k", {{count}, {local}}, bufferIn, out,
        LocalBytes{local * 4});
    std::vector<cl_float> result = out.read();
    for (size_t g = 0; g < count; ++g) {
      double expected = sum(g) * 2 + sum(g / local * local + local - 1 - g % local) + 10.0 * in[g];
      EXPECT_NEAR(result[g], expected, 1e-4 * (1 + std::abs(expected))) << g;
    }
  }
}

// What is divided by a power that is too large becomes 0, and what is divided by 0 infinite, also
// where quotients may be products with reciprocals.
TEST(MathOptions, fastQuotientsByZeroAndInfinity) {
  const char* text = R"(
    kernel void k(global const float* in, global float* out) {
      size_t i = get_global_id(0);
      out[2 * i] = in[i] / (1 + exp(in[i] * -100));
      out[2 * i + 1] = 1 / in[i];
    })";
  std::vector<cl_float> in = tabulate<cl_float>(1000, [](size_t i) { return i * 0.25 - 100; });
  const Buffer<cl_float> bufferIn(in);
  const Buffer<cl_float> out(in.size() * 2);
  run(build(text, "-cl-fast-relaxed-math"), "k", {{in.size()}}, bufferIn, out);
  const std::vector<cl_float> result = out.read();
  for (size_t i = 0; i < in.size(); ++i) {
    const double x = in[i], power = std::exp(x * -100);
    EXPECT_NEAR(result[2 * i], x / (1 + power), 1e-5 * std::abs(x)) << x;
    if (x == 0)
      EXPECT_EQ(result[2 * i + 1], std::numeric_limits<float>::infinity());
    else
      EXPECT_NEAR(result[2 * i + 1] * x, 1, 1e-6) << x;
  }
}

/// Roots that numbers are divided by, which processors may compute in other ways than roots alone.
class DivisionByRoots : public testing::Test {
protected:
  static constexpr const char* text =
      R"(kernel void k(global const float* in, global float* reciprocals, global float* quotients) {
    size_t i = get_global_id(0);
    reciprocals[i] = rsqrt(in[i]);
    quotients[i] = 3.0f / sqrt(in[i]);
  }
  kernel void with_roots(global const float* in, global float* roots, global float* quotients) {
    size_t i = get_global_id(0);
    float root = sqrt(in[i]);
    roots[i] = root;
    quotients[i] = 3.0f / root;
  })";

  DivisionByRoots() {
    for (int exponent = -149; exponent < 128; ++exponent)
      for (int part = 0; part < 16; ++part)
        values.push_back(std::ldexp(1 + static_cast<float>(part * part) / 256, exponent));
    const float infinity = std::numeric_limits<float>::infinity();
    for (float special : {0.0f, -0.0f, infinity, -infinity, -1.0f, -0x1p-140f, NAN,
                          std::numeric_limits<float>::max()})
      values.push_back(special);
  }
  void compute(const Program& program) {
    Buffer<cl_float> in(values), first(values.size()), second(values.size());
    run(program, "k", {{values.size()}}, in, first, second);
    reciprocals = first.read();
    quotients = second.read();
    run(program, "with_roots", {{values.size()}}, in, first, second);
    roots = first.read();
    quotientsByRoots = second.read();
  }
  static double ulps(float result, double expected) {
    const double ulp = std::ldexp(1.0, std::max(std::ilogb(expected), -126) - 23);
    return std::abs(result - expected) / ulp;
  }

  std::vector<cl_float> values, reciprocals, quotients, roots, quotientsByRoots;
};

TEST_F(DivisionByRoots, AreOffByAFewDigits) {
  compute(build(text));
  for (size_t i = 0; i < values.size(); ++i) {
    const double x = values[i];
    SCOPED_TRACE(x);
    if (std::isnan(x) || x < 0) {
      EXPECT_TRUE(std::isnan(reciprocals[i]) && std::isnan(quotients[i]));
      EXPECT_TRUE(std::isnan(roots[i]) && std::isnan(quotientsByRoots[i]));
    } else if (x == 0 || std::isinf(x)) {
      EXPECT_EQ(std::abs(reciprocals[i]), 1 / x * (std::signbit(values[i]) ? -1 : 1));
      EXPECT_EQ(std::abs(quotients[i]), std::abs(reciprocals[i]));
      EXPECT_EQ(roots[i], values[i]);
      EXPECT_EQ(quotientsByRoots[i], 3 / values[i]);
    } else {
      EXPECT_LE(ulps(reciprocals[i], 1 / std::sqrt(x)), 2);
      EXPECT_LE(ulps(quotients[i], 3 / std::sqrt(x)), 5.5);
      EXPECT_LE(ulps(roots[i], std::sqrt(x)), 3);
      EXPECT_LE(ulps(quotientsByRoots[i], 3 / std::sqrt(x)), 5.5);
    }
  }
}

TEST_F(DivisionByRoots, AreCorrectlyRoundedOnDemand) {
  QUERN_NEEDS("CL_DEVICE_SINGLE_FP_CONFIG CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT");
  const char* option = "-cl-fp32-correctly-rounded-divide-sqrt";
  const Program compiled = createProgram(text);
  check(clCompileProgram(compiled.handle(), 0, nullptr, option, 0, nullptr, nullptr, nullptr,
                         nullptr),
        "clCompileProgram");
  const cl_program parts[] = {compiled.handle()};
  const Program linked(
      clLinkProgram(Device::get().context, 0, nullptr, "", 1, parts, nullptr, nullptr, nullptr));
  const Program built = build(text, option);
  for (const Program* program : {&built, &linked}) {
    compute(*program);
    for (size_t i = 0; i < values.size(); ++i)
      if (values[i] > 0) {
        EXPECT_EQ(quotients[i], 3.0f / std::sqrt(values[i])) << values[i];
        EXPECT_EQ(quotientsByRoots[i], quotients[i]) << values[i];
      }
  }
}

TEST(MathFunctions, reciprocalRootsOfDouble) {
  const char* text = R"(kernel void k(global const double* in, global double* out) {
    size_t i = get_global_id(0);
    out[i] = rsqrt(in[i]);
  })";
  std::vector<cl_double> values;
  for (int exponent = -1074; exponent < 1024; ++exponent)
    for (int part = 0; part < 16; ++part)
      values.push_back(std::ldexp(1 + static_cast<double>(part * part * part) / 4096, exponent));
  const double infinity = std::numeric_limits<double>::infinity();
  for (double special :
       {0.0, -0.0, infinity, -infinity, -1.0, -0x1p-1060, std::numeric_limits<double>::quiet_NaN(),
        std::numeric_limits<double>::max()})
    values.push_back(special);
  Buffer<cl_double> in(values), out(values.size());
  for (const char* options : {"", "-cl-fp32-correctly-rounded-divide-sqrt"}) {
    run(build(text, options), "k", {{values.size()}}, in, out);
    const std::vector<cl_double> result = out.read();
    for (size_t i = 0; i < values.size(); ++i) {
      const double x = values[i];
      SCOPED_TRACE(x);
      if (std::isnan(x) || x < 0) {
        EXPECT_TRUE(std::isnan(result[i]));
      } else if (x == 0 || std::isinf(x)) {
        EXPECT_EQ(result[i], 1 / x);
      } else {
        const long double exact = 1 / std::sqrt(static_cast<long double>(x));
        EXPECT_LE(std::abs(result[i] - exact), std::ldexp(2.0L, std::ilogb(exact) - 52));
      }
    }
  }
}

TEST(MathOptions, singlePrecisionConstants) {
  const char* text = R"(kernel void k(global double* out, float x) {
    out[0] = sizeof(1.0);
    out[1] = x * 0.1;
  })";
  auto results = [&](const char* options) {
    Buffer<cl_double> out(2);
    run(build(text, options), "k", {{1}}, out, 3.f);
    return out.read();
  };
  EXPECT_EQ(results(""), (std::vector<cl_double>{8, 3 * 0.1}));
  EXPECT_EQ(results("-cl-single-precision-constant"), (std::vector<cl_double>{4, 3 * 0.1f}));
}

TEST(MathOptions, subnormalsAreKeptByDefault) {
  QUERN_NEEDS("CL_DEVICE_SINGLE_FP_CONFIG CL_FP_DENORM");
  const char* text =
      R"(kernel void k(global float* out, float small, global double* wide, double tiny) {
    out[0] = small * 0.5f;
    out[1] = small - small * 0.75f;
    out[2] = (float4)(small * 0.25f).z;
    wide[0] = tiny * 0.5;
  })";
  const float small = 0x1p-126f;
  Buffer<cl_float> out(3);
  Buffer<cl_double> wide(1);
  run(build(text), "k", {{1}}, out, small, wide, 0x1p-1022);
  EXPECT_EQ(out.read(), (std::vector<cl_float>{0x1p-127f, 0x1p-128f, 0x1p-128f}));
  EXPECT_EQ(wide.read()[0], 0x1p-1023);
  // With the option each result may be flushed or not, and nothing else.
  run(build(text, "-cl-denorms-are-zero"), "k", {{1}}, out, small, wide, 0x1p-1022);
  std::vector<cl_float> result = out.read();
  EXPECT_TRUE(result[0] == 0 || result[0] == 0x1p-127f);
  EXPECT_TRUE(result[2] == 0 || result[2] == 0x1p-128f);
}

TEST(MathOptions, correctlyRoundedDivisionAndRoots) {
  QUERN_NEEDS("CL_DEVICE_SINGLE_FP_CONFIG CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT");
  constexpr size_t count = 4096;
  std::vector<cl_float> a = tabulate<cl_float>(count, [](size_t i) { return 1 + i * 0.37; });
  std::vector<cl_float> b = tabulate<cl_float>(count, [](size_t i) { return 3 + i % 977 * 1.13; });
  Program program =
      build(R"(kernel void k(global const float* a, global const float* b, global float* out) {
    size_t g = get_global_id(0);
    out[2 * g] = a[g] / b[g];
    out[2 * g + 1] = sqrt(a[g]);
  })",
            "-cl-fp32-correctly-rounded-divide-sqrt");
  Buffer<cl_float> bufferA(a), bufferB(b), out(2 * count);
  run(program, "k", {{count}}, bufferA, bufferB, out);
  EXPECT_EQ(out.read(), tabulate<cl_float>(2 * count, [&](size_t i) {
              return i % 2 ? std::sqrt(a[i / 2]) : a[i / 2] / b[i / 2];
            }));
}

TEST(MathOptions, specialValuesKeptByDefault) {
  Program program = build(R"(kernel void k(global int* out, float zero, float one) {
    float nan = zero / zero, infinity = one / zero;
    out[0] = isnan(nan) + 2 * isinf(-infinity) + 4 * (nan != nan) + 8 * signbit(-zero) + 16 * (one / (-zero) < 0);
    out[1] = isnan(infinity - infinity) + 2 * isnan(fmax(nan, nan)) + 4 * (fmin(nan, one) == one) + 8 * isordered(nan, one);
  })");
  Buffer<cl_int> out(2);
  run(program, "k", {{1}}, out, 0.f, 1.f);
  EXPECT_EQ(out.read(), (std::vector<cl_int>{31, 7}));
}

} // namespace
} // namespace quern::tests
