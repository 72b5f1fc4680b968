// Mathematical functions without a limit of their own for all arguments: native_ and half_ forms,
// sincos, and lgamma.
#include "math_reference.h"
#include "two_results.h"
#include "ulp.h"

namespace quern::builtins {
namespace {

constexpr int allWidths = 6;
constexpr double limitOfHalf = 8192;

using Real = long double;

template <typename... Arguments> void checkHalf(std::string_view name, auto&& reference) {
  std::tuple<Samples<Arguments>...> samples;
  auto draw = [&](std::mt19937_64& random) {
    return std::apply(
        [&](auto&... source) { return std::tuple<Arguments...>{source.next(random)...}; }, samples);
  };
  // The result is rounded to float; that costs half a unit of the limit.
  auto rounded = [&](auto... arguments) {
    return static_cast<float>(reference(Real{arguments}...));
  };
  auto agrees = [](float actual, float expected) {
    return ulpError<float>(actual, expected) <= limitOfHalf;
  };
  checkElementwise<float, Arguments...>("half_" + std::string(name), allWidths, rounded, draw,
                                        agrees);
}

TEST(DerivedMath, Half) {
  checkHalf<float>("cos", [](Real x) { return std::cos(x); });
  checkHalf<float, float>("divide", [](Real x, Real y) { return x / y; });
  checkHalf<float>("exp", [](Real x) { return std::exp(x); });
  checkHalf<float>("exp2", [](Real x) { return std::exp2(x); });
  checkHalf<float>("exp10", [](Real x) { return power(10, x); });
  checkHalf<float>("log", [](Real x) { return std::log(x); });
  checkHalf<float>("log2", [](Real x) { return std::log2(x); });
  checkHalf<float>("log10", [](Real x) { return std::log10(x); });
  checkHalf<float, float>("powr", [](Real x, Real y) { return powNatural(x, y); });
  checkHalf<float>("recip", [](Real x) { return 1 / x; });
  checkHalf<float>("rsqrt", [](Real x) { return 1 / std::sqrt(x); });
  checkHalf<float>("sin", [](Real x) { return std::sin(x); });
  checkHalf<float>("sqrt", [](Real x) { return std::sqrt(x); });
  checkHalf<float>("tan", [](Real x) { return std::tan(x); });
}

/// Arguments between two bounds: as many of each magnitude where both have one sign, otherwise
/// evenly spread.
struct Range {
  double low, high;

  float draw(std::mt19937_64& random) const {
    const double share = static_cast<double>(random()) / 0x1p64;
    return static_cast<float>(low > 0 ? low * std::pow(high / low, share)
                                      : low + (high - low) * share);
  }
};

/// Calls native_`name` with arguments of the ranges, one for each, and lets `allowed(arguments...)`
/// say how far from the exact result each may be: native_ functions are those of the
/// specification's table for unsafe math, within the range of normal numbers.
template <typename... Ranges>
void checkNative(std::string_view name, auto&& reference, auto&& allowed, Ranges... ranges) {
  double error = 0;
  Real exact = 0;
  auto remembered = [&](auto... arguments) {
    exact = reference(Real{arguments}...);
    error = allowed(exact, static_cast<double>(arguments)...);
    return static_cast<float>(exact);
  };
  auto draw = [&](std::mt19937_64& random) { return std::tuple{ranges.draw(random)...}; };
  auto agrees = [&](float actual, float) { return std::fabs(actual - exact) <= error; };
  checkElementwise<float, std::conditional_t<true, float, Ranges>...>(
      "native_" + std::string(name), allWidths, remembered, draw, agrees, 20000);
}

TEST(DerivedMath, Native) {
  auto units = [](double count) {
    return
        [count](Real exact, auto...) { return static_cast<double>(count * ulpAt<float>(exact)); };
  };
  auto units2x = [](Real exact, double x) {
    return static_cast<double>((3 + std::floor(std::fabs(2 * x))) * ulpAt<float>(exact));
  };
  auto nearOne = [](Real exact, double x) {
    return x >= 0.5 && x <= 2 ? 0x1p-21 : static_cast<double>(3 * ulpAt<float>(exact));
  };
  // Where the specification has an error for its sake, from -pi to pi, programs rely on less: sums
  // of what they compute of it lose many digits.
  auto absolute = [](Real, double x) { return std::fabs(x) <= M_PI ? 0x1p-22 : 0x1p-11; };
  const Range circle{-1000, 1000}, positive{0x1p-126, 0x1p127}, normal{0x1p-60, 0x1p60};
  checkNative("cos", [](Real x) { return std::cos(x); }, absolute, circle);
  checkNative("sin", [](Real x) { return std::sin(x); }, absolute, circle);
  checkNative("cos", [](Real x) { return std::cos(x); }, absolute, Range{-M_PI, M_PI});
  checkNative("sin", [](Real x) { return std::sin(x); }, absolute, Range{-M_PI, M_PI});
  checkNative("tan", [](Real x) { return std::tan(x); }, units(limitOfHalf), Range{-1.5, 1.5});
  checkNative("exp", [](Real x) { return std::exp(x); }, units2x, Range{-87, 88});
  checkNative("exp2", [](Real x) { return std::exp2(x); }, units2x, Range{-125.5, 127.9});
  checkNative("exp10", [](Real x) { return power(10, x); }, units(limitOfHalf), Range{-37, 38});
  checkNative("log", [](Real x) { return std::log(x); }, nearOne, positive);
  checkNative("log2", [](Real x) { return std::log2(x); }, nearOne, positive);
  checkNative("log10", [](Real x) { return std::log10(x); }, nearOne, positive);
  checkNative("log2", [](Real x) { return std::log2(x); }, nearOne, Range{0.5, 2});
  checkNative(
      "powr", [](Real x, Real y) { return powNatural(x, y); }, units(limitOfHalf),
      Range{0x1p-10, 0x1p10}, Range{-12, 12});
  checkNative("recip", [](Real x) { return 1 / x; }, units(2.5), normal);
  checkNative("divide", [](Real x, Real y) { return x / y; }, units(2.5), normal, normal);
  checkNative("sqrt", [](Real x) { return std::sqrt(x); }, units(3), positive);
  checkNative("rsqrt", [](Real x) { return 1 / std::sqrt(x); }, units(2), positive);
}

TEST(DerivedMath, NativeFunctionsOverflowAndUnderflow) {
  auto limit = [](std::string_view name, float x, float expected) {
    for (const Builtin* builtin : overloads(name)) {
      Slot argument, result;
      std::fill_n(argument.as<float>().data(), 16, x);
      void* arguments[] = {&argument};
      builtin->call(&result, arguments);
      EXPECT_EQ(result.as<float>()[0], expected) << describe(*builtin) << " of " << x;
    }
  };
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (std::string_view name : {"native_exp", "native_exp2", "native_exp10"}) {
    limit(name, 1000, infinity);
    limit(name, -1000, 0);
    limit(name, 0, 1);
  }
  for (std::string_view name : {"native_log", "native_log2", "native_log10"}) {
    limit(name, 0, -infinity);
    limit(name, 1, 0);
  }
}

TEST(DerivedMath, SinCos) {
  forEachFloating([](auto zero) {
    using T = decltype(zero);
    checkTwoResults<T, T, T>(
        "sincos",
        [](T x) {
          return std::pair(static_cast<T>(std::sin(Real{x})), static_cast<T>(std::cos(Real{x})));
        },
        [](T actual, T expected) { return ulpError<T>(actual, expected) <= 4; });
  });
}

template <typename T> bool near(T actual, T expected) {
  constexpr T tolerance = 1000 * std::numeric_limits<T>::epsilon();
  return same(actual, expected) || actual == expected ||
         std::fabs(actual - expected) <= tolerance * std::max(T{1}, std::fabs(expected));
}

TEST(DerivedMath, LogarithmOfGamma) {
  forEachFloating([](auto zero) {
    using T = decltype(zero);
    auto logarithm = [](T x) { return static_cast<T>(std::lgamma(Real{x})); };
    auto draw = [samples = Samples<T>()](std::mt19937_64& random) mutable {
      return std::tuple<T>(samples.next(random));
    };
    checkElementwise<T, T>("lgamma", allWidths, logarithm, draw, near<T>);
    checkTwoResults<T, std::int32_t, T>(
        "lgamma_r",
        [&](T x) {
          bool hasSign = x > 0 || (x < 0 && x != std::floor(x));
          int sign = x > 0 || std::fmod(std::floor(x), T{2}) == 0 ? 1 : -1;
          return std::pair(logarithm(x), hasSign || std::isnan(x) ? (std::isnan(x) ? 0 : sign) : 0);
        },
        [](auto actual, auto expected) {
          if constexpr (std::is_integral_v<decltype(actual)>)
            return actual == expected;
          else
            return near(actual, expected);
        });
  });
}

} // namespace
} // namespace quern::builtins
