// What packets of work-items find in small tables of constants, which may be held in registers, and
// what functions of double that are made of such tables give, beside the host's.
#include <cmath>
#include <functional>
#include <limits>

#include "kernels/packet_fixture.h"

namespace quern::tests {
namespace {

// Tables that fit into one register, into two, and into none, in straight code, in a loop and in
// branches that only some work-items take.
TEST(PacketTables, elementsOfConstantArrays) {
  const struct {
    const char* type;
    int size;
  } tables[] = {{"double", 5}, {"double", 16}, {"double", 17}, {"long", 16}, {"float", 16},
                {"float", 32}, {"float", 33},  {"int", 9},     {"uint", 32}, {"short", 16}};
  for (const auto& table : tables) {
    SCOPED_TRACE(std::string(table.type) + " " + std::to_string(table.size));
    std::string elements;
    for (int i = 0; i < table.size; ++i)
      elements += std::to_string((i * 37 + 11) % 101) + ",";
    expectItems("#define SIZE " + std::to_string(table.size) + "\nconstant " + table.type +
                    " table[SIZE] = {" + elements + R"(};
      kernel void k(global const int* in, global int* out, int n) {
        int g = get_global_id(0);
        int sum = (int)table[(uint)in[g] % SIZE];
        for (int i = 0; i < n; ++i) {
          int a = in[g + i];
          sum = sum * 3 + (int)table[(ulong)a % SIZE];
          if (a & 1) sum += (int)table[(a >> 3) % SIZE] * (int)table[i % SIZE];
        }
        out[g] = sum;
      })",
                5, [&](const auto& in, int g, int n) {
                  const auto element = [&](int i) {
                    return cl_uint((i % table.size * 37 + 11) % 101);
                  };
                  cl_uint sum = element(in[g]);
                  for (int i = 0; i < n; ++i) {
                    const int a = in[g + i];
                    sum = sum * 3 + element(a);
                    if (a & 1)
                      sum += element(a >> 3) * element(i);
                  }
                  return cl_int(sum);
                });
  }
}

/// Numbers of all magnitudes, and those with results of their own.
std::vector<cl_double> arguments(size_t count, cl_uint seed) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double special[] = {0.0,         -0.0,    1.0,    -1.0,   infinity,    -infinity,
                            0.5,         2.0,     -2.0,   3.0,    -3.0,        0x1p-1074,
                            0x1.8p-1060, 1e300,   -1e300, 1e-300, 709.5,       -745.0,
                            1023.9,      -1074.5, 308.2,  -323.5, std::nan("")};
  const std::vector<cl_int> random = noise(count + seed, 1 << 20);
  return tabulate<cl_double>(count, [&](size_t i) {
    const double unit = random[i + seed] * 0x1p-20;
    if (i % 3 == 0)
      return special[random[i + seed] % std::size(special)];
    return i % 3 == 1 ? unit * 40 - 10 : std::ldexp(unit + 0.5, random[i + seed] % 200 - 100);
  });
}

TEST(PacketTables, functionsOfDouble) {
  constexpr size_t count = 1003;
  const std::vector<cl_double> x = arguments(count, 0), y = arguments(count, 517);
  const struct {
    const char* name;
    std::function<double(double, double)> function;
  } functions[] = {
      {"exp(x)", [](double a, double) { return std::exp(a); }},
      {"exp2(x)", [](double a, double) { return std::exp2(a); }},
      {"exp10(x)", [](double a, double) { return double(std::pow(10.0L, (long double)(a))); }},
      {"log(x)", [](double a, double) { return std::log(a); }},
      {"log2(x)", [](double a, double) { return std::log2(a); }},
      {"log10(x)", [](double a, double) { return std::log10(a); }},
      {"pow(x, y)", [](double a, double b) { return std::pow(a, b); }},
      {"fmod(x, y)", [](double a, double b) { return std::fmod(a, b); }},
      {"remainder(x, y)", [](double a, double b) { return std::remainder(a, b); }},
      {"erfc(x)", [](double a, double) { return std::erfc(a); }},
      {"asin(x)", [](double a, double) { return std::asin(a); }},
      {"acos(x)", [](double a, double) { return std::acos(a); }},
      {"acosh(x)", [](double a, double) { return std::acosh(a); }},
      {"atanh(x)", [](double a, double) { return std::atanh(a); }},
      {"pow(fabs(x), y)", [](double a, double b) { return std::pow(std::fabs(a), b); }},
      {"pown(x, 7)", [](double a, double) { return std::pow(a, 7.0); }},
      {"x < 3 ? pow(x, y) : log(y)",
       [](double a, double b) { return a < 3 ? std::pow(a, b) : std::log(b); }},
  };
  Buffer<cl_double> in(x), second(y);
  for (const auto& tested : functions) {
    SCOPED_TRACE(tested.name);
    Program program = build(std::string(R"(
      kernel void k(global const double* in, global const double* second, global double* out) {
        double x = in[get_global_id(0)], y = second[get_global_id(0)];
        out[get_global_id(0)] = )") +
                                tested.name + "; }",
                            openClC3);
    Buffer<cl_double> out(count, -1.0);
    run(program, "k", {{count}, {17}}, in, second, out);
    const std::vector<cl_double> found = out.read();
    for (size_t i = 0; i < count; ++i) {
      const double wanted = tested.function(x[i], y[i]);
      if (std::isnan(wanted) || std::isinf(wanted) || wanted == 0) {
        EXPECT_TRUE(found[i] == wanted || (std::isnan(wanted) && std::isnan(found[i])))
            << x[i] << ", " << y[i] << " gave " << found[i] << " for " << wanted;
        EXPECT_TRUE(wanted != 0 || std::signbit(found[i]) == std::signbit(wanted)) << x[i];
      } else {
        EXPECT_LE(std::fabs(found[i] - wanted), std::fabs(wanted) * 0x1p-48 + 0x1p-1070)
            << x[i] << ", " << y[i];
      }
    }
  }
}

} // namespace
} // namespace quern::tests
