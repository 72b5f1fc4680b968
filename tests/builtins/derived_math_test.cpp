// Mathematical functions that share their accuracy with others: native_ and half_ forms, sincos,
// and lgamma, whose errors have no limit.
#include "math_reference.h"
#include "two_results.h"
#include "ulp.h"

namespace quern::builtins {
namespace {

constexpr int allWidths = 6;
constexpr double limitOfHalf = 8192;

using Real = long double;

template <typename... Arguments> void checkRelaxed(std::string_view name, auto&& reference) {
  for (std::string prefix : {"native_", "half_"}) {
    std::tuple<Samples<Arguments>...> samples;
    auto draw = [&](std::mt19937_64& random) {
      return std::apply(
          [&](auto&... source) { return std::tuple<Arguments...>{source.next(random)...}; },
          samples);
    };
    // The result is rounded to float; that costs half a unit of the limit.
    auto rounded = [&](auto... arguments) {
      return static_cast<float>(reference(Real{arguments}...));
    };
    auto agrees = [](float actual, float expected) {
      return ulpError<float>(actual, expected) <= limitOfHalf;
    };
    checkElementwise<float, Arguments...>(prefix + std::string(name), allWidths, rounded, draw,
                                          agrees);
  }
}

TEST(DerivedMath, NativeAndHalf) {
  checkRelaxed<float>("cos", [](Real x) { return std::cos(x); });
  checkRelaxed<float, float>("divide", [](Real x, Real y) { return x / y; });
  checkRelaxed<float>("exp", [](Real x) { return std::exp(x); });
  checkRelaxed<float>("exp2", [](Real x) { return std::exp2(x); });
  checkRelaxed<float>("exp10", [](Real x) { return power(10, x); });
  checkRelaxed<float>("log", [](Real x) { return std::log(x); });
  checkRelaxed<float>("log2", [](Real x) { return std::log2(x); });
  checkRelaxed<float>("log10", [](Real x) { return std::log10(x); });
  checkRelaxed<float, float>("powr", [](Real x, Real y) { return powNatural(x, y); });
  checkRelaxed<float>("recip", [](Real x) { return 1 / x; });
  checkRelaxed<float>("rsqrt", [](Real x) { return 1 / std::sqrt(x); });
  checkRelaxed<float>("sin", [](Real x) { return std::sin(x); });
  checkRelaxed<float>("sqrt", [](Real x) { return std::sqrt(x); });
  checkRelaxed<float>("tan", [](Real x) { return std::tan(x); });
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
