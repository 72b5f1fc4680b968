// Builtins of Clang's that programs use beside those of OpenCL C: in packets of every width they do
// what they do on the host.
#include "kernels/packet_fixture.h"

#include <bit>

namespace quern::tests {
namespace {

/// As expectItems, of statements that make `x` from the item's number `a` and its neighbour `b`.
template <typename Function>
void expectStatements(const std::string& statements, Function&& expected,
                      const std::string& before = "") {
  SCOPED_TRACE(statements);
  expectItems(before + R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0);
      int a = (in[g] - 524288) * n, b = in[g + 1] * (g & 3) - (g & 7), x = 0;
      )" + statements +
                  "\n out[g] = x; }",
              2039, [&](const auto& in, int g, int n) {
                return cl_int(expected((in[g] - 524288) * n, in[g + 1] * (g & 3) - (g & 7)));
              });
}

template <typename T> cl_int tellsOverflow(bool wraps, T result) {
  return cl_int(result) ^ (wraps ? 0x5a5a5a5a : 0);
}

TEST(ClangBuiltins, arithmeticThatMayOverflow) {
  const auto expectType = [](auto number, const std::string& type) {
    using T = decltype(number);
    const auto expectOperation = [&](const std::string& name, auto&& operation) {
      expectStatements(
          type + " r; bool w = __builtin_" + name + "_overflow((" + type + ")(a * 3u), (" + type +
              ")(b * 700u), &r); x = (int)r ^ (w ? 0x5a5a5a5a : 0);",
          [&](cl_int a, cl_int b) {
            T r = 0;
            return tellsOverflow(operation(T(cl_uint(a) * 3u), T(cl_uint(b) * 700u), &r), r);
          });
    };
    expectOperation("add", [](T a, T b, T* r) { return __builtin_add_overflow(a, b, r); });
    expectOperation("sub", [](T a, T b, T* r) { return __builtin_sub_overflow(a, b, r); });
    expectOperation("mul", [](T a, T b, T* r) { return __builtin_mul_overflow(a, b, r); });
  };
  expectType(cl_char{}, "char");
  expectType(cl_uchar{}, "uchar");
  expectType(cl_short{}, "short");
  expectType(cl_ushort{}, "ushort");
  expectType(cl_int{}, "int");
  expectType(cl_uint{}, "uint");
}

// Numbers that fill 64 bits, so that all parts of the product count.
TEST(ClangBuiltins, wideProductsThatMayOverflow) {
  const auto expectType = [](auto number, const std::string& type) {
    using T = decltype(number);
    for (int shift : {0, 7, 31, 33})
      expectStatements(type + " p = ((" + type + ")a << " + std::to_string(shift) + ") - b, q = (" +
                           type +
                           ")b * 65537 + a, r; bool w = __builtin_mul_overflow(p, q, &r);"
                           " x = (int)(r ^ r >> 32) ^ (w ? 0x5a5a5a5a : 0);",
                       [&](cl_int a, cl_int b) {
                         const T p = T((cl_ulong(a) << shift) - cl_ulong(b)),
                                 q = T(cl_ulong(b) * 65537 + cl_ulong(a));
                         T r = 0;
                         const bool wraps = __builtin_mul_overflow(p, q, &r);
                         return tellsOverflow(wraps, r ^ r >> 32);
                       });
  };
  expectType(cl_long{}, "long");
  expectType(cl_ulong{}, "ulong");
}

TEST(ClangBuiltins, hintsAndAssumptions) {
  const auto unchanged = [](cl_int a, cl_int b) { return a ^ b; };
  expectStatements("__builtin_prefetch(in + g); __builtin_prefetch(in + 40 * g, 0, 1);"
                   "__builtin_prefetch(in + (b & 1023)); __builtin_prefetch(out, 1); x = a ^ b;",
                   unchanged);
  expectStatements("if (b & 1) __builtin_prefetch(in + (b & 1023)); x = a ^ b;", unchanged);
  expectStatements("x = __builtin_constant_p(a) ? 7 : a ^ b;", unchanged);
  expectStatements("x = __builtin_constant_p(3) ? a ^ b : 7;", unchanged);
  expectStatements("__builtin_assume(g < 1000); x = __builtin_expect(a > b, 1) ? a ^ b : b ^ a;",
                   unchanged);
  expectStatements("x = __builtin_expect_with_probability(a > b, 1, 0.9) ? a ^ b : b ^ a;",
                   unchanged);
  expectStatements("switch (g & 1) { case 0: x = a ^ b; break; case 1: x = b ^ a; break;"
                   " default: __builtin_unreachable(); }",
                   unchanged);
  expectStatements("if (g == -1) __builtin_trap(); x = a ^ b;", unchanged);
  expectStatements("x = __builtin_annotation(a, \"seen\") ^ b;", unchanged);
  expectStatements("struct Noted s = {a}; x = s.number ^ b;", unchanged,
                   "struct Noted { int number __attribute__((annotate(\"noted\"))); };\n");
}

TEST(ClangBuiltins, alignmentMayBeAssumedOfEveryPointer) {
  const auto sum = [](cl_int a, cl_int b) { return a + b; };
  expectStatements("global const int* p = __builtin_assume_aligned(in, 16);"
                   " x = ((p[g] - 524288) * n) + (b + p[1] - in[1]);",
                   sum);
  expectStatements("global const int* p = __builtin_assume_aligned(in + 1, 16, 4);"
                   " x = (p[g - 1] - 524288) * n + b;",
                   sum);
  expectStatements("local int l[256] __attribute__((aligned(64))); int i = get_local_id(0);"
                   " l[i] = a; local int* p = __builtin_assume_aligned(l, 64); x = p[i] + b;",
                   sum);
  expectStatements("int v[4] __attribute__((aligned(16))) = {a, b, a, b};"
                   " private int* p = __builtin_assume_aligned((private int*)v, 16);"
                   " x = p[g & 2] + p[1 | (g & 2)];",
                   sum);
  expectStatements("constant const int* p = __builtin_assume_aligned(table, 16);"
                   " x = a + b + p[g & 3] - (g & 3);",
                   sum, "constant int table[4] __attribute__((aligned(16))) = {0, 1, 2, 3};\n");
  expectStatements("generic const int* q = in; generic const int* p = "
                   "__builtin_assume_aligned(q, 4); x = (p[g] - 524288) * n + b;",
                   sum);
}

TEST(ClangBuiltins, sizesAndAlignments) {
  expectStatements("local int l[64]; l[g & 63] = a; x = __builtin_object_size(l, 0) + (int)"
                   "__builtin_object_size(in + g, 0) + (int)__builtin_object_size(in + g, 2);",
                   [](cl_int, cl_int) { return 256 - 1; });
  expectStatements("global const int* line = __builtin_align_down(in + g, 16);"
                   " x = (in + g - line) * 4 + ((ulong)line & 15) - ((ulong)(in + g) & 15)"
                   " + __builtin_is_aligned(in + g, 4)"
                   " + (__builtin_align_up(in + g, 16) >= in + g);",
                   [](cl_int, cl_int) { return 2; });
}

/// `x` is 0 where C's function and OpenCL C's give the same bits.
std::string comparison(const std::string& ofC, const std::string& ofOpenClC, bool isInteger,
                       bool isFloat) {
  if (isInteger)
    return "x |= " + ofC + " != " + ofOpenClC + ";\n";
  const std::string bits = isFloat ? "as_int(" : "as_long(";
  return "x |= " + bits + ofC + ") != " + bits + ofOpenClC + ");\n";
}

TEST(ClangBuiltins, mathematicalFunctionsOfC) {
  struct Function {
    std::string ofC, ofOpenClC, arguments;
  };
  std::vector<Function> functions = {{"atan2", "atan2", "v, w"},
                                     {"copysign", "copysign", "v, w"},
                                     {"fdim", "fdim", "v, w"},
                                     {"fma", "fma", "v, w, v"},
                                     {"fmax", "fmax", "v, w"},
                                     {"fmin", "fmin", "v, w"},
                                     {"fmod", "fmod", "v, w + 0.5f"},
                                     {"hypot", "hypot", "v, w"},
                                     {"ilogb", "ilogb", "v"},
                                     {"ldexp", "ldexp", "v, 3"},
                                     {"nextafter", "nextafter", "v, w"},
                                     {"pow", "pow", "fabs(v), w"},
                                     {"remainder", "remainder", "v, w"},
                                     {"scalbn", "ldexp", "v, -2"},
                                     {"nearbyint", "rint", "v"},
                                     {"roundeven", "rint", "v"}};
  for (const std::string name :
       {"acos", "acosh", "asin",  "asinh", "atan",   "atanh", "cbrt",   "ceil",  "cos",
        "cosh", "erf",   "erfc",  "exp",   "exp10",  "exp2",  "expm1",  "fabs",  "floor",
        "log",  "log10", "log1p", "log2",  "logb",   "rint",  "lgamma", "round", "sin",
        "sinh", "sqrt",  "tan",   "tanh",  "tgamma", "trunc"})
    functions.push_back({name, name, "v"});
  for (const Function& function : functions) {
    std::string statements;
    for (bool isFloat : {true, false}) {
      const std::string type = isFloat ? "float" : "double";
      statements += "{ " + type + " v = a * (" + type + ")1.37, w = b * (" + type + ")0.11;\n" +
                    comparison("__builtin_" + function.ofC + (isFloat ? "f(" : "(") +
                                   function.arguments + ")",
                               function.ofOpenClC + "(" + function.arguments + ")",
                               function.ofC == "ilogb", isFloat) +
                    "}\n";
    }
    expectStatements(statements, [](cl_int, cl_int) { return 0; });
  }
}

TEST(ClangBuiltins, elementwiseMathematicalFunctions) {
  const auto expectSame = [](const std::string& name, const std::string& arguments) {
    std::string statements;
    for (const std::string type : {"float4", "float3", "double2"}) {
      const bool isDouble = type == "double2";
      statements += "{ " + type + " v = (" + (isDouble ? "double4" : "float4") +
                    ")(a, b, a + b, 0.5f)." +
                    std::string("xyzw").substr(0, static_cast<size_t>(type.back() - '0')) +
                    (isDouble ? " * 0.01" : " * 0.01f") + ", w = v * 0.3f + 0.01f;\n" + type +
                    " p = __builtin_elementwise_" + name + "(" + arguments + "), q = " + name +
                    "(" + arguments + ");\n x |= any((p != q) & ((p == p) | (q == q))) != 0; }\n";
    }
    expectStatements(statements, [](cl_int, cl_int) { return 0; });
  };
  for (const std::string name :
       {"acos",  "asin", "atan", "ceil",  "cos", "cosh", "exp",  "exp10", "exp2", "floor", "log",
        "log10", "log2", "rint", "round", "sin", "sinh", "sqrt", "tan",   "tanh", "trunc"})
    expectSame(name, "v");
  for (const std::string name : {"atan2", "copysign", "pow"})
    expectSame(name, "v, w");
  expectSame("fmod", "v, w");
  expectSame("fma", "v, w, v");
}

TEST(ClangBuiltins, functionsOfCThatAProgramDeclaresOrDefines) {
  expectStatements(
      "x = (int)fmaf(a & 255, 3.0f, b & 255) + (int)trunc(a / 2);",
      [](cl_int a, cl_int b) { return (a & 255) * 3 + (b & 255) + a / 2 * 10; },
      "float fmaf(float, float, float);\n"
      "__attribute__((overloadable)) int trunc(int a) { return a * 10; }\n");
  // One of its own name and other types stays the program's.
  expectStatements(
      "x = sinf(a) + b;", [](cl_int a, cl_int b) { return (a ^ 5) + b; },
      "int sinf(int a) { return a ^ 5; }\n");
}

TEST(ClangBuiltins, bits) {
  expectStatements("uint u = a; x = __builtin_popcount(u) + 64 * __builtin_parity(u)"
                   " + 128 * __builtin_clz(u | 1) + 4096 * __builtin_ctz(u | 0x80000000u)"
                   " + 262144 * __builtin_ffs(a);",
                   [](cl_int a, cl_int) {
                     const cl_uint u = cl_uint(a);
                     return std::popcount(u) + 64 * (std::popcount(u) & 1) +
                            128 * std::countl_zero(u | 1) +
                            4096 * std::countr_zero(u | 0x80000000u) +
                            262144 * (u == 0 ? 0 : std::countr_zero(u) + 1);
                   });
  expectStatements(
      "x = __builtin_bswap32(a) ^ __builtin_rotateleft32(a, b) ^"
      " (int)__builtin_rotateright64((ulong)a, b) ^ __builtin_bswap16(b) ^"
      " __builtin_bitreverse32(a) ^ __builtin_bitreverse32(__builtin_bitreverse32(b));",
      [](cl_int a, cl_int b) {
        return cl_int(__builtin_bswap32(cl_uint(a))) ^ cl_int(std::rotl(cl_uint(a), b & 31)) ^
               cl_int(std::rotr(cl_ulong(a), b & 63)) ^ cl_int(__builtin_bswap16(cl_ushort(b))) ^
               cl_int(__builtin_bitreverse32(cl_uint(a))) ^ b;
      });
}

TEST(ClangBuiltins, memory) {
  const auto sum = [](cl_int a, cl_int b) { return a + b; };
  expectStatements("int v[2], w[2] = {a, b}; __builtin_memcpy(v, w, 8); x = v[0] + v[1];", sum);
  expectStatements("int v[2]; __builtin_memcpy(v, in + g, 8);"
                   " x = (v[0] - 524288) * n + (v[1] * (g & 3) - (g & 7));",
                   sum);
  expectStatements("local int l[256]; int i = get_local_id(0); __builtin_memcpy(l + i, in + g, 4);"
                   " __builtin_memmove(out + g, l + i, 4); x = (out[g] - 524288) * n + b;",
                   sum);
  expectStatements("__builtin_memset(out + g, 255, 4); x = out[g] + 1 + a + b;", sum);
  expectStatements("int v[4]; __builtin_memset(v, 0, 16); v[g & 3] = a; v[(g + 1) & 3] += b;"
                   " x = v[0] + v[1] + v[2] + v[3];",
                   sum);
  expectStatements("__builtin_nontemporal_store(a, out + g);"
                   " x = __builtin_nontemporal_load(out + g) + b;",
                   sum);
}

TEST(ClangBuiltins, vectors) {
  const auto sum = [](cl_int a, cl_int b) { return a + b; };
  expectStatements("int4 v = (int4)(a, 0, b, 0); x = __builtin_reduce_add(v);", sum);
  expectStatements("int4 v = (int4)(a, 1, b, 2), w = __builtin_shufflevector(v, v, 2, 4, 1, 7);"
                   " x = w.x + w.y + w.z + w.w - 3;",
                   sum);
  expectStatements("int2 v = (int2)(a & 255, b & 127);"
                   " float2 f = __builtin_convertvector(v, float2) * 2.0f;"
                   " v = __builtin_convertvector(f, int2); x = v.x + v.y;",
                   [](cl_int a, cl_int b) { return 2 * ((a & 255) + (b & 127)); });
  expectStatements("int4 v = (int4)(a, b, 5, -9); x = __builtin_reduce_max(v) ^"
                   " __builtin_reduce_min(v) ^ __builtin_reduce_xor(v) ^ __builtin_reduce_and(v) ^"
                   " __builtin_reduce_or(v);",
                   [](cl_int a, cl_int b) {
                     return std::max({a, b, 5, -9}) ^ std::min({a, b, 5, -9}) ^ (a ^ b ^ 5 ^ -9) ^
                            (a & b & 5 & -9) ^ (a | b | 5 | -9);
                   });
  expectStatements(
      "int2 v = (int2)(a, b), w = v.yx; v = __builtin_elementwise_add_sat(v, w) ^"
      " __builtin_elementwise_max(v, w) ^ __builtin_elementwise_popcount(v);"
      " x = v.x ^ v.y;",
      [](cl_int a, cl_int b) { return std::popcount(cl_uint(a)) ^ std::popcount(cl_uint(b)); });
  expectStatements("x = __builtin_bit_cast(int, __builtin_bit_cast(float, (a & 0x3fffff) | "
                   "0x3f800000) * 2.0f);",
                   [](cl_int a, cl_int) {
                     return std::bit_cast<cl_int>(
                         std::bit_cast<cl_float>((a & 0x3fffff) | 0x3f800000) * 2.0f);
                   });
}

} // namespace
} // namespace quern::tests
