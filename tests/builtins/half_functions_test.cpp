// The functions of half: against double, with the limits of the specification in units in the last
// place of half. 0 stands for exact and correctly rounded results.
#include "half_numbers.h"
#include "math_reference.h"

#include <functional>

namespace quern::builtins {
namespace {

constexpr int allWidths = 6;
constexpr int withScalarForms = 11;

/// Zeros of functions with a free sign of zero.
bool equalHalf(Half actual, Half expected) {
  return valueOf(actual) == valueOf(expected) || sameHalf(actual, expected);
}

/// Numbers of all magnitudes, half of them near 1.
Half drawHalf(std::mt19937_64& random) {
  auto bits = static_cast<std::uint16_t>(random());
  return {static_cast<std::uint16_t>(random() % 2 ? bits : (bits & 0x8fff) + 0x3000)};
}

template <typename... Arguments> auto drawn() {
  return [](std::mt19937_64& random) {
    return std::tuple<Arguments...>{[&](Arguments) -> Arguments {
      if constexpr (std::is_same_v<Arguments, Half>)
        return drawHalf(random);
      else
        return static_cast<Arguments>(static_cast<int>(random() % 81) - 40);
    }(Arguments{})...};
  };
}

template <typename T> double wide(T x) {
  if constexpr (std::is_same_v<T, Half>)
    return valueOf(x);
  else
    return static_cast<double>(x);
}

/// Compares every overload, whose first parameter may also be a vector's only one, with `reference`
/// evaluated in double.
template <typename... Arguments>
void checkWithin(std::string_view name, double limit, auto&& reference, int forms = allWidths) {
  auto exact = [&](Arguments... arguments) {
    return static_cast<double>(reference(wide(arguments)...));
  };
  // The exact result is carried past the comparison, which sees only rounded ones.
  double wanted = 0;
  auto rounded = [&](Arguments... arguments) {
    wanted = exact(arguments...);
    return halfOf(wanted);
  };
  checkElementwise<Half, Arguments...>(
      name, forms, rounded, drawn<Arguments...>(),
      [&](Half actual, Half expected) {
        return limit == 0 ? equalHalf(actual, expected) : halfError(actual, wanted) <= limit;
      },
      20000);
}

struct Function {
  std::string name;
  std::function<void()> check;
};

void PrintTo(const Function& function, std::ostream* out) {
  *out << function.name;
}

std::vector<Function> allFunctions() {
  std::vector<Function> functions;
  auto unary = [&](std::string name, double limit, double (*f)(double)) {
    functions.push_back({name, [=] { checkWithin<Half>(name, limit, f); }});
  };
  auto binary = [&](std::string name, double limit, double (*f)(double, double),
                    int forms = allWidths) {
    functions.push_back({name, [=] { checkWithin<Half, Half>(name, limit, f, forms); }});
  };
  auto ternary = [&](std::string name, double (*f)(double, double, double)) {
    functions.push_back({name, [=] { checkWithin<Half, Half, Half>(name, 0, f); }});
  };
  auto withInteger = [&](std::string name, double limit, double (*f)(double, double),
                         int forms = allWidths) {
    functions.push_back({name, [=] { checkWithin<Half, std::int32_t>(name, limit, f, forms); }});
  };
  constexpr double pi = 3.14159265358979323846;
  unary("acos", 2, std::acos);
  unary("acosh", 2, std::acosh);
  unary("acospi", 2, [](double x) { return std::acos(x) / pi; });
  unary("asin", 2, std::asin);
  unary("asinh", 2, std::asinh);
  unary("asinpi", 2, [](double x) { return std::asin(x) / pi; });
  unary("atan", 2, std::atan);
  unary("atanh", 2, std::atanh);
  unary("atanpi", 2, [](double x) { return std::atan(x) / pi; });
  unary("cbrt", 2, std::cbrt);
  unary("ceil", 0, std::ceil);
  unary("cos", 2, std::cos);
  unary("cosh", 2, std::cosh);
  unary("cospi", 2, [](double x) { return static_cast<double>(cosPi(x)); });
  unary("degrees", 2, [](double x) { return x * (180 / pi); });
  unary("erf", 4, std::erf);
  unary("erfc", 4, std::erfc);
  unary("exp", 2, std::exp);
  unary("exp2", 2, std::exp2);
  unary("exp10", 2, [](double x) { return static_cast<double>(power(10, x)); });
  unary("expm1", 2, std::expm1);
  unary("fabs", 0, std::fabs);
  unary("floor", 0, std::floor);
  unary("log", 2, std::log);
  unary("log2", 2, std::log2);
  unary("log10", 2, std::log10);
  unary("log1p", 2, std::log1p);
  unary("logb", 0, std::logb);
  unary("radians", 2, [](double x) { return x * (pi / 180); });
  unary("rint", 0, std::nearbyint);
  unary("round", 0, std::round);
  unary("rsqrt", 1, [](double x) { return 1 / std::sqrt(x); });
  unary("sign", 0, [](double x) {
    return std::isnan(x) ? 0.0 : x == 0 ? x : std::copysign(1.0, x);
  });
  unary("sin", 2, std::sin);
  unary("sinh", 2, std::sinh);
  unary("sinpi", 2, [](double x) { return static_cast<double>(sinPi(x)); });
  unary("sqrt", 0, std::sqrt);
  unary("tan", 2, std::tan);
  unary("tanh", 2, std::tanh);
  unary("tanpi", 2, [](double x) { return static_cast<double>(tanPi(x)); });
  unary("tgamma", 4, std::tgamma);
  unary("trunc", 0, std::trunc);
  binary("atan2", 2, std::atan2);
  binary("atan2pi", 2, [](double y, double x) { return std::atan2(y, x) / pi; });
  binary("copysign", 0, std::copysign);
  binary("fdim", 0, std::fdim);
  binary("fmax", 0, std::fmax, withScalarForms);
  binary("fmin", 0, std::fmin, withScalarForms);
  binary("fmod", 0, std::fmod);
  binary("hypot", 2, std::hypot);
  binary("maxmag", 0, [](double x, double y) {
    return std::fabs(x) > std::fabs(y) ? x : std::fabs(y) > std::fabs(x) ? y : std::fmax(x, y);
  });
  binary("minmag", 0, [](double x, double y) {
    return std::fabs(x) < std::fabs(y) ? x : std::fabs(y) < std::fabs(x) ? y : std::fmin(x, y);
  });
  binary("pow", 4, [](double x, double y) { return static_cast<double>(power(x, y)); });
  binary("powr", 4, [](double x, double y) { return static_cast<double>(powNatural(x, y)); });
  binary("remainder", 0, std::remainder);
  // The product is exact in long double, and with it the sum of numbers of these exponents.
  ternary("fma", [](double x, double y, double z) {
    return static_cast<double>(static_cast<long double>(x) * y + z);
  });
  withInteger(
      "ldexp", 0, [](double x, double n) { return std::ldexp(x, static_cast<int>(n)); },
      withScalarForms);
  withInteger("pown", 4, [](double x, double n) { return static_cast<double>(power(x, n)); });
  withInteger("rootn", 4,
              [](double x, double n) { return static_cast<double>(root(x, static_cast<int>(n))); });
  return functions;
}

class HalfMath : public ::testing::TestWithParam<Function> {};

TEST_P(HalfMath, IsWithinItsLimit) {
  GetParam().check();
}

INSTANTIATE_TEST_SUITE_P(, HalfMath, ::testing::ValuesIn(allFunctions()),
                         [](const auto& info) { return info.param.name; });

TEST(HalfFunctions, NextAfter) {
  checkElementwise<Half, Half, Half>(
      "nextafter", allWidths,
      [](Half x, Half y) -> Half {
        const double from = valueOf(x), to = valueOf(y);
        if (std::isnan(from) || std::isnan(to))
          return {0x7e00};
        if (from == to)
          return y;
        if (from == 0)
          return {static_cast<std::uint16_t>((y.bits & 0x8000) | 1)};
        const bool grows = (from < to) == (from > 0);
        return {static_cast<std::uint16_t>(x.bits + (grows ? 1 : -1))};
      },
      drawn<Half, Half>(), sameHalf);
}

TEST(HalfFunctions, Relations) {
  auto check = [](std::string_view name, auto&& reference) {
    // A scalar result is an int, which vectors do not have.
    checkElementwise<std::int16_t, Half, Half>(
        name, {allWidths - 1, 2},
        [&](Half x, Half y) {
          return static_cast<std::int16_t>(reference(valueOf(x), valueOf(y)) ? -1 : 0);
        },
        drawn<Half, Half>(), std::equal_to<>());
    checkElementwise<std::int32_t, Half, Half>(
        name, 1, [&](Half x, Half y) { return reference(valueOf(x), valueOf(y)) ? 1 : 0; },
        drawn<Half, Half>(), std::equal_to<>());
  };
  check("isequal", [](double x, double y) { return x == y; });
  check("isnotequal", [](double x, double y) { return x != y; });
  check("isgreater", [](double x, double y) { return x > y; });
  check("isgreaterequal", [](double x, double y) { return x >= y; });
  check("isless", [](double x, double y) { return x < y; });
  check("islessequal", [](double x, double y) { return x <= y; });
  check("islessgreater", [](double x, double y) { return x < y || x > y; });
  check("isordered", [](double x, double y) { return !std::isnan(x) && !std::isnan(y); });
  check("isunordered", [](double x, double y) { return std::isnan(x) || std::isnan(y); });
}

TEST(HalfFunctions, Classes) {
  auto check = [](std::string_view name, auto&& reference) {
    checkElementwise<std::int16_t, Half>(
        name, {allWidths - 1, 2},
        [&](Half x) { return static_cast<std::int16_t>(reference(valueOf(x)) ? -1 : 0); },
        drawn<Half>(), std::equal_to<>());
    checkElementwise<std::int32_t, Half>(
        name, 1, [&](Half x) { return reference(valueOf(x)) ? 1 : 0; }, drawn<Half>(),
        std::equal_to<>());
  };
  check("isfinite", [](double x) { return std::isfinite(x); });
  check("isinf", [](double x) { return std::isinf(x); });
  check("isnan", [](double x) { return std::isnan(x); });
  check("isnormal", [](double x) { return std::isfinite(x) && std::fabs(x) >= 0x1p-14; });
  check("signbit", [](double x) { return std::signbit(x); });
}

TEST(HalfFunctions, Choices) {
  auto draw = [](std::mt19937_64& random) {
    return std::tuple<Half, Half, Half>{drawHalf(random), drawHalf(random), drawHalf(random)};
  };
  checkElementwise<Half, Half, Half, Half>(
      "bitselect", allWidths,
      [](Half zeros, Half ones, Half mask) -> Half {
        return {static_cast<std::uint16_t>((zeros.bits & ~mask.bits) | (ones.bits & mask.bits))};
      },
      draw, std::equal_to<>());
  checkElementwise<Half, Half, Half, std::int16_t>(
      "select", {allWidths - 1, 2},
      [](Half otherwise, Half chosen, std::int16_t condition) {
        return condition < 0 ? chosen : otherwise;
      },
      drawn<Half, Half, std::int16_t>(), std::equal_to<>());
  // Scalars choose by whether the condition is zero, vectors by its highest bit.
  auto check = [](auto highest) {
    using Condition = decltype(highest);
    checkElementwise<Half, Half, Half, Condition>(
        "select", allWidths,
        [](Half otherwise, Half chosen, Condition condition) {
          return condition != 0 ? chosen : otherwise;
        },
        [=](std::mt19937_64& random) {
          const auto condition = random() % 2 ? static_cast<Condition>(highest | random()) : 0;
          return std::tuple<Half, Half, Condition>{drawHalf(random), drawHalf(random), condition};
        },
        std::equal_to<>());
  };
  check(std::numeric_limits<std::int16_t>::min());
  check(std::uint16_t{0x8000});
}

TEST(HalfFunctions, Exponents) {
  checkElementwise<std::int32_t, Half>(
      "ilogb", allWidths,
      [](Half x) {
        using Limits = std::numeric_limits<std::int32_t>;
        const double value = valueOf(x);
        return value == 0             ? Limits::min()
               : std::isfinite(value) ? std::ilogb(value)
                                      : Limits::max();
      },
      drawn<Half>(), std::equal_to<>());
}

TEST(HalfFunctions, NanKeepsItsPayload) {
  checkElementwise<Half, std::uint16_t>(
      "nan", allWidths,
      [](std::uint16_t payload) { return Half{static_cast<std::uint16_t>(payload | 0x7e00)}; },
      [](std::mt19937_64& random) {
        return std::tuple<std::uint16_t>(static_cast<std::uint16_t>(random()));
      },
      std::equal_to<>());
}

// Rounding the product first is allowed, so the operands are numbers whose product is exact.
TEST(HalfFunctions, MultiplyAndAdd) {
  checkElementwise<Half, Half, Half, Half>(
      "mad", allWidths,
      [](Half x, Half y, Half z) { return halfOf(valueOf(x) * valueOf(y) + valueOf(z)); },
      [](std::mt19937_64& random) {
        auto small = [&] { return halfOf(static_cast<int>(random() % 41) - 20); };
        return std::tuple<Half, Half, Half>{small(), small(), small()};
      },
      equalHalf);
}

/// The precision of the logarithm of gamma is the implementation's.
bool nearHalf(Half actual, double exact) {
  const Half rounded = halfOf(exact);
  return equalHalf(actual, rounded) ||
         std::fabs(valueOf(actual) - valueOf(rounded)) <= 0x1p-8 * std::max(1.0, std::fabs(exact));
}

TEST(HalfFunctions, LogarithmOfGamma) {
  double exact = 0;
  checkElementwise<Half, Half>(
      "lgamma", allWidths, [&](Half x) { return halfOf(exact = std::lgamma(valueOf(x))); },
      drawn<Half>(), [&](Half actual, Half) { return nearHalf(actual, exact); });
}

TEST(HalfFunctions, Common) {
  auto number = [](std::mt19937_64& random) {
    const Half x = drawHalf(random);
    return std::isnan(valueOf(x)) ? Half{0x3c00} : x;
  };
  auto two = [&](std::mt19937_64& random) {
    return std::tuple<Half, Half>{number(random), number(random)};
  };
  checkElementwise<Half, Half, Half>(
      "max", withScalarForms, [](Half x, Half y) { return valueOf(x) < valueOf(y) ? y : x; }, two,
      equalHalf);
  checkElementwise<Half, Half, Half>(
      "min", withScalarForms, [](Half x, Half y) { return valueOf(y) < valueOf(x) ? y : x; }, two,
      equalHalf);
  checkElementwise<Half, Half, Half>(
      "step", withScalarForms,
      [](Half edge, Half x) { return halfOf(valueOf(x) < valueOf(edge) ? 0 : 1); }, two, equalHalf);
  auto unit = [](std::mt19937_64& random) {
    auto share = [&] { return halfOf(static_cast<double>(random()) / 0x1p64); };
    return std::tuple<Half, Half, Half>{share(), halfOf(valueOf(share()) + 1), share()};
  };
  auto close = [](Half actual, Half expected) {
    return std::fabs(valueOf(actual) - valueOf(expected)) <= 0x1p-10;
  };
  checkElementwise<Half, Half, Half, Half>(
      "clamp", withScalarForms,
      [](Half x, Half low, Half high) {
        return halfOf(std::min(std::max(valueOf(x), valueOf(low)), valueOf(high)));
      },
      [&](std::mt19937_64& random) {
        auto [low, high, x] = unit(random);
        return std::tuple<Half, Half, Half>{x, low, high};
      },
      equalHalf);
  checkElementwise<Half, Half, Half, Half>(
      "mix", withScalarForms,
      [](Half x, Half y, Half share) {
        return halfOf(valueOf(x) + (valueOf(y) - valueOf(x)) * valueOf(share));
      },
      unit, close);
  checkElementwise<Half, Half, Half, Half>(
      "smoothstep", withScalarForms,
      [](Half low, Half high, Half x) {
        const double t =
            std::clamp((valueOf(x) - valueOf(low)) / (valueOf(high) - valueOf(low)), 0.0, 1.0);
        return halfOf(t * t * (3 - 2 * t));
      },
      unit, close);
}

/// A function of two vectors, or of one, with a scalar or a vector result, in double.
using Geometric =
    std::function<std::vector<double>(const std::vector<double>&, const std::vector<double>&)>;

void checkGeometric(std::string_view name, int forms, const Geometric& reference) {
  int count = 0;
  for (const Builtin* builtin : overloads(name)) {
    if (builtin->parameters[0].base != Base::Half)
      continue;
    ++count;
    std::mt19937_64 random(count);
    for (int call = 0; call < 2000; ++call) {
      Slot slots[2], result;
      std::vector<double> operands[2];
      for (int operand = 0; operand < 2; ++operand)
        for (int i = 0; i < builtin->parameters[0].width; ++i) {
          const Half x = halfOf(static_cast<double>(random() % 2001) / 100 - 10);
          slots[operand].as<Half>()[i] = x;
          operands[operand].push_back(valueOf(x));
        }
      void* arguments[] = {&slots[0], &slots[1]};
      builtin->call(&result, arguments);
      const std::vector<double> expected = reference(operands[0], operands[1]);
      for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_NEAR(valueOf(result.as<Half>()[i]), expected[i],
                    0x1p-10 * std::max(1.0, std::fabs(expected[i])))
            << describe(*builtin) << ", element " << i;
    }
  }
  EXPECT_EQ(count, forms);
}

TEST(HalfFunctions, GeometricFunctions) {
  using Vector = std::vector<double>;
  auto product = [](const Vector& a, const Vector& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      sum += a[i] * b[i];
    return sum;
  };
  checkGeometric("dot", 4, [&](const Vector& a, const Vector& b) { return Vector{product(a, b)}; });
  checkGeometric("length", 4,
                 [&](const Vector& a, const Vector&) { return Vector{std::sqrt(product(a, a))}; });
  checkGeometric("distance", 4, [&](const Vector& a, const Vector& b) {
    Vector difference;
    for (std::size_t i = 0; i < a.size(); ++i)
      difference.push_back(a[i] - b[i]);
    return Vector{std::sqrt(product(difference, difference))};
  });
  checkGeometric("normalize", 4, [&](const Vector& a, const Vector&) {
    const double length = std::sqrt(product(a, a));
    Vector unit;
    for (double x : a)
      unit.push_back(length == 0 ? 0 : x / length);
    return unit;
  });
  checkGeometric("cross", 2, [](const Vector& a, const Vector& b) {
    Vector result = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                     a[0] * b[1] - a[1] * b[0]};
    result.resize(a.size());
    return result;
  });
}

/// Calls `name` of every width and address space with all halves; `reference` returns both results.
template <typename Second> void checkTwo(std::string_view name, auto&& reference) {
  int count = 0;
  for (const Builtin* builtin : overloads(name)) {
    if (builtin->result.base != Base::Half)
      continue;
    ++count;
    const int width = builtin->result.width;
    for (int first = 0; first + width <= 65536; first += width) {
      Slot argument, result, stored;
      for (int lane = 0; lane < width; ++lane)
        argument.as<Half>()[lane] = {static_cast<std::uint16_t>(first + lane)};
      void* arguments[] = {&argument, &stored};
      builtin->call(&result, arguments);
      for (int lane = 0; lane < width; ++lane) {
        const Half x = argument.as<Half>()[lane];
        ASSERT_TRUE(reference(valueOf(x), result.as<Half>()[lane], stored.as<Second>()[lane]))
            << describe(*builtin) << " of " << valueOf(x) << ": got "
            << valueOf(result.as<Half>()[lane]);
      }
    }
  }
  EXPECT_EQ(count, allWidths * 4) << "overloads of " << name;
}

TEST(HalfFunctions, TwoResults) {
  checkTwo<Half>("fract", [](double x, Half fraction, Half whole) {
    const double expected =
        std::isinf(x) ? std::copysign(0.0, x) : std::min(x - std::floor(x), 0x1.ffcp-1);
    return sameHalf(whole, halfOf(std::floor(x))) &&
           equalHalf(fraction, halfOf(std::isnan(x) ? x : expected));
  });
  checkTwo<Half>("modf", [](double x, Half fraction, Half whole) {
    double expectedWhole, expected = std::modf(x, &expectedWhole);
    return sameHalf(whole, halfOf(expectedWhole)) && sameHalf(fraction, halfOf(expected));
  });
  checkTwo<Half>("sincos", [](double x, Half sine, Half cosine) {
    return halfError(sine, std::sin(x)) <= 2 && halfError(cosine, std::cos(x)) <= 2;
  });
  checkTwo<std::int32_t>("frexp", [](double x, Half fraction, std::int32_t exponent) {
    int expectedExponent = 0;
    const double expected = std::frexp(x, &expectedExponent);
    return sameHalf(fraction, halfOf(expected)) &&
           exponent == (std::isfinite(x) ? expectedExponent : 0);
  });
  checkTwo<std::int32_t>("lgamma_r", [](double x, Half logarithm, std::int32_t sign) {
    const bool hasSign = x > 0 || (x < 0 && x != std::floor(x));
    const int expected = x > 0 || std::fmod(std::floor(x), 2.0) == 0 ? 1 : -1;
    return nearHalf(logarithm, std::lgamma(x)) && sign == (hasSign ? expected : 0);
  });
}

TEST(HalfFunctions, RemquoKeepsSevenBitsOfTheQuotient) {
  int count = 0;
  for (const Builtin* builtin : overloads("remquo")) {
    if (builtin->result.base != Base::Half)
      continue;
    ++count;
    std::mt19937_64 random(count);
    for (int call = 0; call < callsPerOverload; ++call) {
      Slot dividend, divisor, result, stored;
      for (int lane = 0; lane < builtin->result.width; ++lane) {
        dividend.as<Half>()[lane] = drawHalf(random);
        divisor.as<Half>()[lane] = drawHalf(random);
      }
      void* arguments[] = {&dividend, &divisor, &stored};
      builtin->call(&result, arguments);
      for (int lane = 0; lane < builtin->result.width; ++lane) {
        const double x = valueOf(dividend.as<Half>()[lane]), y = valueOf(divisor.as<Half>()[lane]);
        const double remainder = std::remainder(x, y);
        int multiples = 0;
        if (!std::isnan(remainder) && !std::isinf(y))
          multiples = static_cast<int>(std::llabs(std::llround((x - remainder) / y)) & 127);
        if (std::signbit(x) != std::signbit(y))
          multiples = -multiples;
        ASSERT_TRUE(equalHalf(result.as<Half>()[lane], halfOf(remainder)) &&
                    stored.as<std::int32_t>()[lane] == multiples)
            << describe(*builtin) << " of " << x << " and " << y << ": got "
            << valueOf(result.as<Half>()[lane]) << " and " << stored.as<std::int32_t>()[lane]
            << ", expected " << remainder << " and " << multiples;
      }
    }
  }
  EXPECT_EQ(count, allWidths * 4);
}

} // namespace
} // namespace quern::builtins
