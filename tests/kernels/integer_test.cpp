// Integer arithmetic where hardware and C disagree with OpenCL C: division by zero, the most
// negative number, wide shifts.
#include "kernels/kernel_fixture.h"

#include <algorithm>
#include <array>
#include <limits>
#include <random>

namespace quern::tests {
namespace {

/// Divides and takes remainders of all pairs of `values` as scalars of type T, vectors of type T4
/// and T with a loop around. Lanes whose result OpenCL C leaves open (division by zero, overflow)
/// may hold anything; all others must be right.
template <typename T> void expectDivision(const std::string& type, const std::string& options) {
  SCOPED_TRACE(type + " " + options);
  const T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  const std::vector<T> values = {0,           1,     2,   3,          7,    T(-1),
                                 T(-2),       T(-7), low, T(low + 1), high, T(high - 1),
                                 T(high / 2), 100,   5,   0};
  const size_t count = values.size();
  std::vector<T> left, right;
  for (T a : values)
    for (T b : values) {
      left.push_back(a);
      right.push_back(b);
    }
  Program program = build(R"(
    kernel void scalar(global const T* a, global const T* b, global T* q, global T* r) {
      size_t g = get_global_id(0);
      q[g] = a[g] / b[g];
      r[g] = a[g] % b[g];
    }
    kernel void vector(global const V* a, global const V* b, global V* q, global V* r) {
      size_t g = get_global_id(0);
      q[g] = a[g] / b[g];
      r[g] = a[g] % b[g];
    }
    kernel void byScalar(global const V* a, global const T* b, global V* q, global V* r) {
      size_t g = get_global_id(0);
      V x = a[g];
      q[g] = x;
      r[g] = x;
      q[g] /= b[g * WIDTH];
      r[g] %= b[g * WIDTH];
    }
    kernel void loop(global const T* a, global const T* b, global T* q, global T* r) {
      size_t g = get_global_id(0);
      for (size_t i = g; i < get_global_size(0) * 4; i += get_global_size(0)) {
        q[i] = a[i] / b[i];
        r[i] = a[i] % b[i];
      }
    })",
                          "-DT=" + type + " -DV=" + type + "8 -DWIDTH=8 " + options);
  Buffer<T> a(left), b(right), q(left.size()), r(left.size());
  auto expectResults = [&](const char* kernel, size_t global, size_t divisorStep) {
    SCOPED_TRACE(kernel);
    run(program, kernel, {{global}, {8}}, a, b, q, r);
    std::vector<T> quotients = q.read(), remainders = r.read();
    for (size_t i = 0; i < left.size(); ++i) {
      T x = left[i], y = right[i / divisorStep * divisorStep];
      if (y == 0 || (std::is_signed_v<T> && x == low && y == T(-1)))
        continue;
      ASSERT_EQ(quotients[i], T(x / y)) << +x << " / " << +y;
      ASSERT_EQ(remainders[i], T(x % y)) << +x << " % " << +y;
    }
  };
  expectResults("scalar", count * count, 1);
  expectResults("vector", count * count / 8, 1);
  expectResults("byScalar", count * count / 8, 8);
  expectResults("loop", count * count / 4, 1);
}

TEST(Integer, divisionNeverTraps) {
  for (const char* options : {"", "-cl-opt-disable"}) {
    expectDivision<cl_char>("char", options);
    expectDivision<cl_uchar>("uchar", options);
    expectDivision<cl_short>("short", options);
    expectDivision<cl_ushort>("ushort", options);
    expectDivision<cl_int>("int", options);
    expectDivision<cl_uint>("uint", options);
    expectDivision<cl_long>("long", options);
    expectDivision<cl_ulong>("ulong", options);
  }
}

TEST(Integer, divisionByConstants) {
  Program program = build(R"(kernel void k(global const int* in, global int* out) {
    int g = get_global_id(0), x = in[g];
    int sum = x / 3 + x % 7 + x / -5 + x % 16 + x / 8;
    if (x == -123456789)
      sum += x / 0 + x % 0;
    out[g] = sum;
  })");
  std::vector<cl_int> in = tabulate<cl_int>(200, [](size_t i) { return int(i * 7919) - 700000; });
  in[0] = std::numeric_limits<cl_int>::min();
  Buffer<cl_int> bufferIn(in), out(200);
  run(program, "k", {{200}, {20}}, bufferIn, out);
  EXPECT_EQ(out.read(), tabulate<cl_int>(200, [&](size_t g) {
              int x = in[g];
              return cl_uint(x / 3) + cl_uint(x % 7) + cl_uint(x / -5) + cl_uint(x % 16) +
                     cl_uint(x / 8);
            }));
}

// Where work-items of a packet have different numbers of iterations.
TEST(Integer, longDivisionByConstantsOfSome) {
  Program program = build(R"(kernel void k(global const long* in, global long* out) {
    int g = get_global_id(0);
    long4 v = (long4)(in[g], in[g] + 5, -in[g], in[g] * 3), sum = 0;
    for (int i = 0; i < g % 5; ++i) {
      sum += v / 4294967296l + v % 7l + v / -1000l + v / -1l;
      v -= 12345678912345l;
    }
    out[g] = sum.x + 3 * sum.y + 5 * sum.z + 7 * sum.w;
  })");
  const std::vector<cl_long> in =
      tabulate<cl_long>(200, [](size_t i) { return cl_long(i) * 79'190'000'000'007 - 7; });
  Buffer<cl_long> bufferIn(in), out(200);
  run(program, "k", {{200}, {20}}, bufferIn, out);
  EXPECT_EQ(out.read(), tabulate<cl_long>(200, [&](size_t g) {
              cl_long v[4] = {in[g], in[g] + 5, -in[g], in[g] * 3};
              const cl_long factors[4] = {1, 3, 5, 7};
              cl_long result = 0;
              for (size_t i = 0; i < g % 5; ++i)
                for (size_t lane = 0; lane < 4; ++lane) {
                  const cl_long x = v[lane] - cl_long(i) * 12'345'678'912'345;
                  result += factors[lane] * (x / 4'294'967'296 + x % 7 + x / -1000 - x);
                }
              return result;
            }));
}

// A divisor that is zero only on the path not taken must do no harm when the compiler evaluates
// both.
TEST(Integer, guardedDivision) {
  Program program =
      build(R"(kernel void k(global const int* a, global const int* b, global int* out) {
    int g = get_global_id(0);
    int q = b[g] != 0 ? a[g] / b[g] : -1;
    int r = b[g] == 0 || (a[g] == INT_MIN && b[g] == -1) ? -2 : a[g] % b[g];
    for (int t = 0; t < 3; ++t)
      if (b[g] > t)
        q += a[g] / (b[g] - t);
    out[g] = q * 100 + r;
  })");
  std::vector<cl_int> a = tabulate<cl_int>(256, [](size_t i) { return int(i) * 3 - 200; });
  std::vector<cl_int> b = tabulate<cl_int>(256, [](size_t i) { return int(i % 9) - 4; });
  Buffer<cl_int> bufferA(a), bufferB(b), out(256);
  run(program, "k", {{256}, {64}}, bufferA, bufferB, out);
  EXPECT_EQ(out.read(), tabulate<cl_int>(256, [&](size_t g) {
              int q = b[g] ? a[g] / b[g] : -1, r = b[g] ? a[g] % b[g] : -2;
              for (int t = 0; t < 3; ++t)
                if (b[g] > t)
                  q += a[g] / (b[g] - t);
              return q * 100 + r;
            }));
}

/// Shift amounts are taken modulo the width of the promoted left operand, or of a vector's element.
template <typename T> void expectShifts(const std::string& type) {
  SCOPED_TRACE(type);
  const std::vector<cl_int> amounts = {0,  1,  5,  7,  8,  9,   15,  16,  17, 31,
                                       32, 33, 63, 64, 65, 127, 128, 255, -1, -8};
  const T value = static_cast<T>(0x9e3779b97f4a7c15ull);
  Program program = build(R"(
    kernel void k(T value, global const int* amounts, global T* out) {
      size_t g = get_global_id(0);
      int s = amounts[g];
      out[4 * g] = (T)(value << s);
      out[4 * g + 1] = (T)(value >> s);
      V v = (V)(value), w = (V)((T)s);
      out[4 * g + 2] = (v << w).s1;
      out[4 * g + 3] = (v >> w).s1;
    })",
                          "-DT=" + type + " -DV=" + type + "2");
  Buffer<cl_int> buffer(amounts);
  Buffer<T> out(4 * amounts.size());
  run(program, "k", {{amounts.size()}}, value, buffer, out);
  using Promoted = decltype(+value);
  std::vector<T> expected;
  for (cl_int amount : amounts) {
    cl_uint scalar = cl_uint(amount) % (8 * sizeof(Promoted));
    cl_uint element = cl_uint(amount) % (8 * sizeof(T));
    expected.push_back(T(std::make_unsigned_t<Promoted>(value) << scalar));
    expected.push_back(T(value >> scalar));
    expected.push_back(T(std::make_unsigned_t<T>(value) << element));
    expected.push_back(T(value >> element));
  }
  EXPECT_EQ(out.read(), expected);
}

TEST(Integer, shiftAmountsWrap) {
  expectShifts<cl_char>("char");
  expectShifts<cl_uchar>("uchar");
  expectShifts<cl_short>("short");
  expectShifts<cl_ushort>("ushort");
  expectShifts<cl_int>("int");
  expectShifts<cl_uint>("uint");
  expectShifts<cl_long>("long");
  expectShifts<cl_ulong>("ulong");
}

TEST(Integer, shiftByConstantsBeyondTheWidth) {
  Program program = build(R"(kernel void k(uint a, long b, ushort c, global ulong* out) {
    out[0] = a << 33;
    out[1] = a >> 32;
    out[2] = (ulong)(b << 65);
    out[3] = (ulong)(b >> 127);
    out[4] = (ushort)(c << 35);
    out[5] = as_uint(convert_ushort2((ushort2)(c)) << (ushort2)(17, 16));
    out[6] = ((uint4)(a) >> (uint4)(32, 33, 34, 35)).z;
  })");
  Buffer<cl_ulong> out(7);
  run(program, "k", {{1}}, cl_uint{0x80000005}, cl_long{-9}, cl_ushort{0x8003}, out);
  EXPECT_EQ(out.read(), (std::vector<cl_ulong>{10, 0x80000005, cl_ulong(-18), cl_ulong(-1), 0x18,
                                               0x80030006, 0x20000001}));
}

// Bits of products that were made in more than 32 bits, of numbers that have 16: those beyond the
// product's own are its sign.
TEST(Integer, highBitsOfProductsOfShorts) {
  const Program program = build(R"(kernel void k(global const short* in, global short* out) {
    size_t i = get_global_id(0);
    short a = in[2 * i], b = in[2 * i + 1];
    long product = (long)a * b;
    out[5 * i] = mul_hi((int)a, (int)b);
    out[5 * i + 1] = product >> 20;
    out[5 * i + 2] = (ulong)product >> 40;
    out[5 * i + 3] = (b * 77l) >> 33;
    out[5 * i + 4] = ((long)(char)a * b) >> 17;
  })");
  const size_t count = 256;
  std::vector<cl_short> in = tabulate<cl_short>(
      2 * count, [](size_t i) { return cl_short(i * 0x9e3779b97f4a7c15u >> 40); });
  in[0] = in[1] = std::numeric_limits<cl_short>::min();
  Buffer<cl_short> input(in), output(5 * count);
  run(program, "k", {{count}, {64}}, input, output);
  EXPECT_EQ(output.read(), tabulate<cl_short>(5 * count, [&in](size_t i) {
              const cl_long a = in[i / 5 * 2], b = in[i / 5 * 2 + 1];
              const std::array<cl_long, 5> bits = {a * b >> 32, a * b >> 20, a * b >> 40,
                                                   b * 77 >> 33, cl_char(a) * b >> 17};
              return cl_short(bits[i % 5]);
            }));
}

/// LLVM takes such high halves for numbers of 128 bits, which it compares and multiplies again.
TEST(Integer, highBitsOfProductsOfLongs) {
  const Program program = build(R"(
    kernel void k(global const ulong* a, global const ulong* b, ulong uniform, global ulong* out) {
      size_t i = get_global_id(0);
      ulong x = a[i], y = b[i], high = mul_hi(x, y), again = mul_hi(high, uniform);
      out[8 * i] = high;
      out[8 * i + 1] = again + (high < again ? uniform : 0);
      out[8 * i + 2] = mul_hi(x * y, uniform) >> 13;
      out[8 * i + 3] = mul_hi(x, 0x8000000000000001ul) * mul_hi(y, 3ul);
      long u = (long)x, v = (long)y, top = mul_hi(u, v);
      out[8 * i + 4] = (ulong)top;
      out[8 * i + 5] = (ulong)(mul_hi(top, (long)uniform) > top ? u : v);
      out[8 * i + 6] = (ulong)(mul_hi(u, -5l) >> 7);
      out[8 * i + 7] = (ulong)mad_hi(u, v, (long)again);
    })");
  std::vector<cl_ulong> ends = {0,
                                1,
                                2,
                                0x7fffffffffffffff,
                                0x8000000000000000,
                                0xffffffff,
                                0x100000000,
                                0xffffffff00000000,
                                ~cl_ulong{0},
                                ~cl_ulong{1}};
  std::mt19937_64 random(3);
  for (int i = 0; i < 22; ++i)
    ends.push_back(random() >> random() % 64);
  std::vector<cl_ulong> a, b;
  for (const cl_ulong x : ends)
    for (const cl_ulong y : ends) {
      a.push_back(x);
      b.push_back(y);
    }
  using Wide = unsigned __int128;
  const auto high = [](cl_ulong x, cl_ulong y) { return cl_ulong(Wide(x) * y >> 64); };
  const auto highSigned = [](cl_long x, cl_long y) { return cl_long(__int128(x) * y >> 64); };
  for (const cl_ulong uniform : {ends[7], ends[15]}) {
    Buffer<cl_ulong> first(a), second(b), out(8 * a.size());
    run(program, "k", {{a.size()}}, first, second, uniform, out);
    EXPECT_EQ(out.read(), tabulate<cl_ulong>(8 * a.size(), [&](size_t at) -> cl_ulong {
                const cl_ulong x = a[at / 8], y = b[at / 8];
                const cl_ulong product = high(x, y), again = high(product, uniform);
                const auto u = cl_long(x), v = cl_long(y), top = highSigned(u, v);
                switch (at % 8) {
                case 0:
                  return product;
                case 1:
                  return again + (product < again ? uniform : 0);
                case 2:
                  return high(x * y, uniform) >> 13;
                case 3:
                  return high(x, 0x8000000000000001) * high(y, 3);
                case 4:
                  return cl_ulong(top);
                case 5:
                  return cl_ulong(highSigned(top, cl_long(uniform)) > top ? u : v);
                case 6:
                  return cl_ulong(highSigned(u, -5) >> 7);
                default:
                  return cl_ulong(top) + again;
                }
              }));
  }
}

TEST(Integer, promotionsAndConversions) {
  Program program =
      build(R"(kernel void k(char c, uchar u, short s, uint i, long l, global long* out) {
    out[0] = c + u;
    out[1] = (c < u) + 2 * ((uint)c < i) + 4 * (l < i) + 8 * (s < i);
    out[2] = (uchar)(u + u);
    out[3] = -i;
    out[4] = ~u;
    out[5] = (short)(s * s);
    out[6] = (char)u;
    out[7] = c * l;
    out[8] = !s + !!l;
    out[9] = (ulong)c >> 60;
    out[10] = (int)(l >> 8);
    out[11] = sizeof(c + c) * 10 + sizeof(u ? s : l);
  })");
  Buffer<cl_long> out(12);
  run(program, "k", {{1}}, cl_char{-3}, cl_uchar{200}, cl_short{-300}, cl_uint{4000000000},
      cl_long{-1} << 40, out);
  const cl_short s = -300;
  EXPECT_EQ(
      out.read(),
      (std::vector<cl_long>{
          197, 1 + 4 + (cl_uint(s) < 4000000000u ? 8 : 0) + (cl_uint(-3) < 4000000000u ? 2 : 0),
          144, 294967296, -201, cl_short(90000), -56, 3 * (cl_long{1} << 40), 1, 15,
          cl_int((cl_long{-1} << 40) >> 8), 48}));
}

/// What clamps `x` to the numbers of T.
template <typename T> cl_long saturated(cl_long x) {
  return std::clamp<cl_long>(x, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

// Of all signs, to wider and narrower types, as vectors too.
TEST(Integer, conversions) {
  Program program = build(R"(
    kernel void k(global const int* in, global long* out) {
      size_t g = get_global_id(0);
      int i = in[g]; uint u = i; char c = i; uchar b = i; short3 s = convert_short3((int3)(i, -i, i * 7));
      out += g * 16;
      out[0] = convert_int(c); out[1] = convert_uint(b); out[2] = convert_short(c); out[3] = convert_ulong(u);
      out[4] = convert_char_sat(i); out[5] = convert_uchar_sat(i); out[6] = convert_uchar_sat(u);
      out[7] = convert_char_sat(u); out[8] = convert_int_sat(u); out[9] = convert_ushort_sat(c);
      out[10] = convert_long_sat(convert_int(i)); out[11] = convert_int_sat((long)i << 7);
      char3 d = convert_char3_sat(s); out[12] = d.x + 1000 * d.y + 1000000l * d.z;
      ushort3 e = convert_ushort3_sat(s); out[13] = e.x + 100000l * e.y + 10000000000l * e.z;
      out[14] = any(s) + 2 * all(s) + 4 * any(c) + 8 * all(convert_long3(s));
      out[15] = (long)convert_float(convert_float(i >> 8));
    })");
  std::vector<cl_int> values = {0,
                                1,
                                -1,
                                127,
                                128,
                                -128,
                                -129,
                                255,
                                256,
                                -61,
                                200,
                                300,
                                32767,
                                -32768,
                                40000,
                                -40000,
                                65535,
                                65536,
                                std::numeric_limits<cl_int>::min(),
                                std::numeric_limits<cl_int>::max()};
  Buffer<cl_int> in(values);
  Buffer<cl_long> out(values.size() * 16);
  run(program, "k", {{values.size()}}, in, out);
  const std::vector<cl_long> got = out.read();
  for (size_t g = 0; g < values.size(); ++g) {
    const cl_int i = values[g];
    const auto u = static_cast<cl_uint>(i);
    const auto c = static_cast<cl_char>(i);
    const cl_short s[] = {static_cast<cl_short>(i), static_cast<cl_short>(-u),
                          static_cast<cl_short>(u * 7)};
    const auto isNegative = [](cl_long x) { return x < 0; };
    const bool any = std::ranges::any_of(s, isNegative), all = std::ranges::all_of(s, isNegative);
    EXPECT_EQ((std::vector<cl_long>(&got[g * 16], &got[g * 16] + 16)),
              (std::vector<cl_long>{
                  c, static_cast<cl_uchar>(i), c, u, saturated<cl_char>(i), saturated<cl_uchar>(i),
                  saturated<cl_uchar>(u), saturated<cl_char>(u), saturated<cl_int>(u),
                  saturated<cl_ushort>(c), i, saturated<cl_int>(cl_long{i} * 128),
                  saturated<cl_char>(s[0]) + 1000 * saturated<cl_char>(s[1]) +
                      1000000 * saturated<cl_char>(s[2]),
                  saturated<cl_ushort>(s[0]) + 100000 * saturated<cl_ushort>(s[1]) +
                      10000000000 * saturated<cl_ushort>(s[2]),
                  any + 2 * all + 4 * (c < 0) + 8 * all, i >> 8}))
        << i;
  }
}

} // namespace
} // namespace quern::tests
