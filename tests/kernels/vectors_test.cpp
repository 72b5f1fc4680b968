// Vector data types: components, operators, literals, reinterpretation, loads and stores,
// conversions.
#include "kernels/kernel_fixture.h"

#include <cmath>
#include <numeric>

namespace quern::tests {
namespace {

/// Results of the statements of one work-item that writes `out`.
template <typename T>
std::vector<T> results(const std::string& type, size_t count, const std::string& statements) {
  Program program =
      build("kernel void k(global " + type + "* out, int zero) {\n" + statements + "\n}");
  Buffer<T> out(count);
  run(program, "k", {{1}}, out, cl_int{0});
  return out.read();
}

TEST(Vectors, componentsAndLiterals) {
  EXPECT_EQ(results<cl_int>("int", 24, R"(
    int4 a = (int4)(1, 2, 3, 4);
    int8 b = (int8)(a, a.wzyx);
    int16 c = (int16)(b, (int2)(9), 10, 11, a.xyz, 12);
    a.xz = (int2)(50, 60);
    out[0] = a.x; out[1] = a.y; out[2] = a.z; out[3] = a.w;
    out[4] = b.lo.hi.y; out[5] = b.hi.lo.x; out[6] = b.even.s3; out[7] = b.odd.s0;
    out[8] = c.s9; out[9] = c.sA; out[10] = c.sb; out[11] = c.sF; out[12] = c.se;
    int3 d = a.zxy;
    d.s2 = d.s0 + zero;
    out[13] = d.x; out[14] = d.y; out[15] = d.z;
    c.s02468ace = b;
    out[16] = c.s2; out[17] = c.s3; out[18] = c.sc;
    int2 e = {7, 8};
    e.yx = e;
    out[19] = e.x * 10 + e.y;
    int4 f[2] = {a, (int4)(e, e)};
    out[20] = f[1 + zero].z; out[21] = f[zero].w;
    c.lo.hi.lo.x = 99;
    out[22] = c.s4;
    b[6] = 77;
    out[23] = b.s6 + b[zero];)"),
            (std::vector<cl_int>{50, 2,  60, 4,  4, 4, 2, 2,  9, 10, 11, 12,
                                 3,  60, 50, 60, 2, 4, 2, 87, 8, 4,  99, 78}));
}

TEST(Vectors, operators) {
  EXPECT_EQ(results<cl_int>("int", 19, R"(
    int4 a = (int4)(1, -2, 3, 40) + zero, b = (int4)(4, 3, 3, -1);
    vstore4(a < b, 0, out);
    vstore4(!a || (b == 3), 1, out);
    vstore4(a > 0 ? a : b, 2, out);
    out[12] = any(a < b) * 10 + all(a < b);
    int4 before = a++;
    int4 after = --b;
    out[13] = (-before).y + (~b).w + before.x + after.z;
    a <<= 2;
    a ^= b;
    out[14] = a.x; out[15] = a.w;
    float4 f = (float4)(1.5f, NAN, -0.0f, 2.0f) + (float)zero;
    int4 equal = f == f;
    out[16] = equal.x * 8 + equal.y * 4 + equal.z * 2 + equal.w;
    uchar4 u = (uchar4)(250) + (uchar4)(10, 5, 6, 0);
    out[17] = u.x * 1000000 + u.y * 1000 + u.z;
    out[18] = ((short)2 * (short2)(3, 4)).y;)"),
            (std::vector<cl_int>{-1, -1, 0, 0, 0, -1, -1, 0, 1, 3, 3, 40, 10, 6, 11, -166, -11,
                                 4255000, 8}));
}

TEST(Vectors, ternarySelectAndRelational) {
  EXPECT_EQ(results<cl_int>("int", 12, R"(
    int4 mask = (int4)(-1, 0, 0x80000000, 1) + zero;
    int4 a = (int4)(1, 2, 3, 4), b = (int4)(10, 20, 30, 40);
    vstore4(mask ? a : b, 0, out);
    vstore4(select(a, b, mask), 1, out);
    out[8] = select(5, 6, zero) * 10 + select(5, 6, 2);
    out[9] = isnan((float2)(1.0f, NAN)).y * 10 + isinf(INFINITY);
    out[10] = bitselect(0x0f0f, 0x1234, 0xff00 + zero);
    out[11] = isgreater(2.0f, 1.0f) + signbit((float4)(-1.0f)).z * 10;)"),
            (std::vector<cl_int>{1, 20, 3, 40, 10, 2, 30, 4, 56, -9, 0x120f, -9}));
}

TEST(Vectors, reinterpretation) {
  EXPECT_EQ(results<cl_uint>("uint", 10, R"(
    out[0] = as_uint(1.5f + zero);
    out[1] = as_uint((uchar4)(1, 2, 3, 4));
    out[2] = as_uint2(2.0).y;
    out[3] = as_ushort4(0x1122334455667788UL).z;
    out[4] = as_int((short2)(-1, 1));
    out[5] = (uint)as_float((int)0x40400000);
    out[6] = as_uint4((float3)(1.0f, 2.0f, 3.0f).xyzz).w;
    out[7] = as_char4(0x81u).x < 0;
    out[8] = as_uint3((float3)(1.0f, 2.0f, 0.5f)).z;
    out[9] = (uint)(as_ulong((double)1.0) >> 52);)"),
            (std::vector<cl_uint>{0x3fc00000, 0x04030201, 0x40000000, 0x3344, 0x0001ffff, 3,
                                  0x40400000, 1, 0x3f000000, 1023}));
}

TEST(Vectors, sizesAndAlignment) {
  EXPECT_EQ(results<cl_uint>("uint", 12, R"(
    typedef struct { char c; float3 v; } S;
    typedef struct { char3 a; short b; } P;
    out[0] = sizeof(float3); out[1] = sizeof(char16); out[2] = sizeof(double16); out[3] = sizeof(S);
    out[4] = sizeof(P); out[5] = sizeof(size_t); out[6] = sizeof(bool); out[7] = sizeof(long);
    out[8] = vec_step(int3) * 100 + vec_step(char16) + vec_step(float);
    out[9] = sizeof(int2[5]); out[10] = sizeof(void*); out[11] = sizeof(half);)"),
            (std::vector<cl_uint>{16, 16, 128, 32, 8, 8, 1, 8, 417, 40, 8, 2}));
}

TEST(Vectors, loadsAndStoresOfAllWidths) {
  for (int width : {2, 3, 4, 8, 16}) {
    SCOPED_TRACE(width);
    std::string w = std::to_string(width);
    Program program = build(R"(
      kernel void k(global const short* in, global short* out, constant short* c, local short* l) {
        size_t g = get_global_id(0);
        short own[40];
        V v = VLOAD(g, in + 1);
        VSTORE(v, g % 2, own + 1);
        v = VLOAD(g % 2, own + 1) + VLOAD(0, c + 3);
        VSTORE(v, get_local_id(0), l + 1);
        VSTORE(VLOAD(get_local_id(0), l + 1), g, out + 1);
      })",
                            "-DV=short" + w + " -DVLOAD=vload" + w + " -DVSTORE=vstore" + w);
    size_t count = 12 * width + 2;
    std::vector<cl_short> in = tabulate<cl_short>(count, [](size_t i) { return i * 3 - 20; });
    Buffer<cl_short> bufferIn(in), out(count, -1),
        c(tabulate<cl_short>(20, [](size_t i) { return i * 1000; }));
    run(program, "k", {{12}, {4}}, bufferIn, out, c, LocalBytes{(4 * width + 1) * 2u});
    EXPECT_EQ(out.read(), tabulate<cl_short>(count, [&](size_t i) -> cl_short {
                if (i == 0 || i == count - 1)
                  return -1;
                return in[i] + (3 + (i - 1) % width) * 1000;
              }));
  }
}

TEST(Vectors, halfLoadsAndStores) {
  // 0x3555 is 0.333251953125, 0x7bff the largest half, 0x0001 the smallest subnormal.
  std::vector<cl_ushort> halves = {0x3c00, 0xc000, 0x3555, 0x7bff, 0x0001, 0x8000, 0x7c00, 0x0400};
  Program program = build(R"(
    kernel void k(global const half* in, global float* out, global half* back, global float* wide) {
      for (int i = 0; i < 8; ++i)
        out[i] = vload_half(i, in);
      float4 v = vload_half4(1, in);
      vstore4(v, 2, out);
      vstore_half(1.0f / 3, 0, back);
      vstore_half_rtz(65519.0f, 1, back);
      vstore_half_rtp(1.0f + 0x1p-12f, 2, back);
      vstore_half_rtn(-1.0f - 0x1p-12f, 3, back);
      vstore_half_rte(1.0f + 0x1p-11f, 4, back);
      vstore_half(1e6f, 5, back);
      vstore_half2((float2)(0.5f, -4.0f), 3, back);
      vstore_half8(vload_half8(0, in), 1, back);
      float3 three = vloada_half3(0, in);
      vstorea_half3(three.zyx, 4, back);
      vstore_half(2.5, 20, back);
      wide[0] = three.z;
      wide[1] = vloada_half3(1, in).x;
      wide[2] = vload_half3(1, in).x;
    })");
  Buffer<cl_ushort> in(halves), back(21);
  Buffer<cl_float> out(12), wide(3);
  run(program, "k", {{1}}, in, out, back, wide);
  float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(out.read(),
            (std::vector<cl_float>{1, -2, 0.333251953125f, 65504, 0x1p-24f, -0.f, infinity,
                                   0x1p-14f, 0x1p-24f, -0.f, infinity, 0x1p-14f}));
  std::vector<cl_ushort> expected = {0x3555, 0x7bff, 0x3c01, 0xbc01,
                                     0x3c00, 0x7c00, 0x3800, 0xc400};
  expected.insert(expected.end(), halves.begin(), halves.end());
  for (cl_ushort value : {0x3555, 0xc000, 0x3c00})
    expected.push_back(value);
  std::vector<cl_ushort> result = back.read();
  EXPECT_EQ(result[20], 0x4100);
  result.resize(19); // the fourth place of an aligned vector of three is not written
  EXPECT_EQ(result, expected);
  EXPECT_EQ(wide.read(), (std::vector<cl_float>{0.333251953125f, 0x1p-24f, 65504}));
}

TEST(Vectors, scalarsHaveTheAlignedHalfForms) {
  for (const char* version : {"-cl-std=CL1.0", "-cl-std=CL1.2", "-cl-std=CL2.0", "-cl-std=CL3.0"}) {
    Program program = build(R"(
      #if __OPENCL_C_VERSION__ < 120
      #pragma OPENCL EXTENSION cl_khr_fp64 : enable
      #endif
      kernel void k(global half* data) {
        size_t i = get_global_id(0);
        float x = vloada_half(i, data);
        vstorea_half(x + 0x1p-11f, i, data);
        vstorea_half_rtp(x + 0x1p-12f, 8 + i, data);
        vstorea_half_rtz((double)x + 0x1p-11, 16 + i, data);
      })",
                            version);
    std::vector<cl_ushort> ones(24, 0x3c00), expected = ones;
    std::fill_n(expected.begin() + 8, 8, cl_ushort{0x3c01});
    Buffer<cl_ushort> data(ones);
    run(program, "k", {{8}}, data);
    EXPECT_EQ(data.read(), expected) << version;
  }
}

TEST(Vectors, conversions) {
  EXPECT_EQ(results<cl_int>("int", 22, R"(
    out[0] = convert_int(3.7f); out[1] = convert_int_rte(2.5f); out[2] = convert_int_rtp(2.1f); out[3] = convert_int_rtn(-2.1f);
    out[4] = convert_uchar_sat(300 + zero); out[5] = convert_char_sat(-200.5f); out[6] = convert_uchar_sat(-5);
    out[7] = convert_char(zero + 200); out[8] = convert_short_sat_rte(1e10f); out[9] = convert_int_sat(NAN);
    vstore4(convert_int4_rtz((float4)(1.9f, -1.9f, 0.5f, 7.0f)), 3, out - 2);
    out[14] = convert_uint_sat(-1) == 0; out[15] = convert_int_sat(4000000000u) == INT_MAX;
    out[16] = (int)convert_float_rtz(16777219); out[17] = (int)convert_float_rtp(16777217);
    out[18] = convert_long_sat(1e30) == LONG_MAX; out[19] = (int)(convert_float3((char3)(1, 2, -3)).z * 2);
    out[20] = convert_uchar4_sat((int4)(-1, 128, 255, 256)).w; out[21] = convert_int_rte(-3.5);)"),
            (std::vector<cl_int>{3,  2, 3, -3, 255, -128,     0,        -56, 32767, 0,   1,
                                 -1, 0, 7, 1,  1,   16777218, 16777218, 1,   -6,    255, -4}));
}

TEST(Vectors, shuffles) {
  EXPECT_EQ(results<cl_int>("int", 8, R"(
    int4 a = (int4)(10, 20, 30, 40) + zero, b = (int4)(50, 60, 70, 80);
    vstore4(shuffle(a, (uint4)(3, 0, 5, 2)), 0, out);
    vstore4(shuffle2(a, b, (uint4)(7, 0, 4, 11)), 1, out);)"),
            (std::vector<cl_int>{40, 10, 20, 30, 80, 10, 50, 40}));
}

TEST(Vectors, threeComponentsInBuffers) {
  Program program = build(R"(kernel void k(global float3* a, global char3* b, global float* out) {
    size_t g = get_global_id(0);
    float3 v = a[g];
    v.y += b[g].z;
    a[g] = v * 2;
    out[g] = v.x + v.y * 10 + v.z * 100;
  })");
  Buffer<cl_float> a(tabulate<cl_float>(40, [](size_t i) { return i; })), out(10);
  Buffer<cl_char> b(tabulate<cl_char>(40, [](size_t i) { return i % 4; }));
  run(program, "k", {{10}, {5}}, a, b, out);
  EXPECT_EQ(out.read(), tabulate<cl_float>(10, [](size_t g) {
              return 4 * g + (4 * g + 3) * 10 + (4 * g + 2) * 100;
            }));
  std::vector<cl_float> after = a.read();
  for (size_t i = 0; i < 40; ++i) {
    if (i % 4 < 3) {
      EXPECT_EQ(after[i], (i % 4 == 1 ? i + 2 : i) * 2.f) << i;
    }
  }
}

TEST(Vectors, longAndDouble) {
  EXPECT_EQ(results<cl_double>("double", 8, R"(
    long4 l = (long4)(1, -5000000000L, 7, 1L << 40) * (3 + zero);
    double4 d = convert_double4(l) / 2.0;
    vstore4(d, 0, out);
    out[4] = fma(0.1, 3.0, (double)zero);
    out[5] = (double)(1UL << 63);
    out[6] = (double)(l.y % 1000);
    out[7] = max(d.x, 2.0) + sqrt(16.0 + zero);)"),
            (std::vector<cl_double>{1.5, -7500000000, 10.5, 3.0 * (cl_long{1} << 39),
                                    std::fma(0.1, 3.0, 0.0), 9223372036854775808.0, 0, 6}));
}

// Also of scalars, of which LLVM's back end for SPIR-V makes what only vectors may be asked.
TEST(Vectors, anyAndAllAskForSigns) {
  Program program = build(R"(
    kernel void k(global const int* in, global int* out) {
      int i = get_global_id(0);
      int x = in[i];
      out[4 * i] = any(x);
      out[4 * i + 1] = all((char)x);
      out[4 * i + 2] = any((int2)(x, -x));
      out[4 * i + 3] = all((long2)(x, -1));
    })");
  Buffer<cl_int> in(std::vector<cl_int>{5, -5, 0}), out(12);
  run(program, "k", {{3}}, in, out);
  EXPECT_EQ(out.read(), (std::vector<cl_int>{0, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0}));
}

/// The specification leaves undefined what programs do nevertheless (llama.cpp's SSM_CONV): vectors
/// lie where only their elements may. GPUs refuse it.
TEST(MisalignedVectors, lieWhereTheirElementsMay) {
  QUERN_NEEDS("CL_DEVICE_TYPE CL_DEVICE_TYPE_CPU");
  Program program = build(R"(
    typedef struct { float4 a; int2 b; } mixed;
    kernel void k(global const char* in, global char* out, local char* group) {
      int i = get_global_id(0), l = get_local_id(0);
      float4 v = *(global const float4*)(in + 4 * i);
      *(local float4*)(group + 20 * l + 4) = v * 2;
      barrier(CLK_LOCAL_MEM_FENCE);
      *(global float4*)(out + 56 * i + 4) = *(local float4*)(group + 20 * l + 4);
      *(global mixed*)(out + 56 * i + 20) = *(global const mixed*)(in + 4 * i);
    })");
  constexpr size_t count = 100;
  std::vector<cl_float> numbers(count + 16);
  std::iota(numbers.begin(), numbers.end(), 1.0f);
  Buffer<cl_float> in(numbers), out(14 * count + 16, -1.0f);
  run(program, "k", {{count}, {4}}, in, out, LocalBytes{4 * 20 + 16});
  const std::vector<cl_float> written = out.read();
  for (size_t i = 0; i < count; ++i) {
    for (size_t element = 0; element < 4; ++element)
      EXPECT_EQ(written[14 * i + 1 + element], 2 * numbers[i + element]) << i << " " << element;
    for (size_t element = 0; element < 6; ++element)
      EXPECT_EQ(written[14 * i + 5 + element], numbers[i + element]) << i << " " << element;
  }
}

} // namespace
} // namespace quern::tests
