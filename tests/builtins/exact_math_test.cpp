// The mathematical functions whose results are exact or correctly rounded.
#include "two_results.h"

namespace quern::builtins {
namespace {

constexpr int allWidths = 6;
// A vector's second operand may be a scalar.
constexpr int withScalarForms = 11;

template <typename T>
using Integer = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// Zeros may have any sign, NaN any payload.
template <typename T> bool equal(T actual, T expected) {
  return actual == expected || (std::isnan(actual) && std::isnan(expected));
}

template <typename T, typename... Arguments> auto drawn() {
  return [samples = std::tuple<Samples<Arguments>...>()](std::mt19937_64& random) mutable {
    return std::apply(
        [&](auto&... source) { return std::tuple<Arguments...>{source.next(random)...}; }, samples);
  };
}

TEST(ExactMath, Rounding) {
  forEachFloating([](auto zero) {
    using T = decltype(zero);
    checkElementwise<T, T>("ceil", allWidths, [](T x) { return std::ceil(x); });
    checkElementwise<T, T>("floor", allWidths, [](T x) { return std::floor(x); });
    checkElementwise<T, T>("rint", allWidths, [](T x) { return std::nearbyint(x); });
    checkElementwise<T, T>("round", allWidths, [](T x) { return std::round(x); });
    checkElementwise<T, T>("trunc", allWidths, [](T x) { return std::trunc(x); });
  });
}

TEST(ExactMath, Arithmetic) {
  forEachFloating([](auto zero) {
    using T = decltype(zero);
    checkElementwise<T, T, T>("copysign", allWidths, [](T x, T y) { return std::copysign(x, y); });
    checkElementwise<T, T>("fabs", allWidths, [](T x) { return std::fabs(x); });
    checkElementwise<T, T, T>("fdim", allWidths, [](T x, T y) { return std::fdim(x, y); });
    checkElementwise<T, T, T, T>("fma", allWidths, [](T x, T y, T z) { return std::fma(x, y, z); });
    for (const char* name : {"fmod", "__fma_fmod"})
      checkElementwise<T, T, T>(name, allWidths, [](T x, T y) { return std::fmod(x, y); });
    for (const char* name : {"remainder", "__fma_remainder"})
      checkElementwise<T, T, T>(name, allWidths, [](T x, T y) { return std::remainder(x, y); });
    checkElementwise<T, T, T>("nextafter", allWidths,
                              [](T x, T y) { return std::nextafter(x, y); });
    checkElementwise<T, T>("sqrt", allWidths, [](T x) { return std::sqrt(x); });
    // Rounding the product first is allowed, so the operands are numbers whose product is exact.
    auto drawSmall = [](std::mt19937_64& random) {
      auto small = [&] { return static_cast<T>(static_cast<int>(random() % 2001) - 1000); };
      return std::tuple<T, T, T>(small(), small(), small());
    };
    checkElementwise<T, T, T, T>(
        "mad", allWidths, [](T x, T y, T z) { return x * y + z; }, drawSmall, equal<T>);
  });
}

// Of multiples of 1/2 they are 0, 1 and -1.
TEST(ExactMath, HalfTurns) {
  forEachFloating([](auto zero) {
    using T = decltype(zero);
    auto drawHalves = [](std::mt19937_64& random) {
      return std::tuple<T>(static_cast<T>(static_cast<int>(random() % 41) - 20) / 2);
    };
    const auto cosine = [](T x) {
      const int halves = static_cast<int>(std::fabs(x) * 2) % 4;
      return static_cast<T>(halves == 0 ? 1 : halves == 2 ? -1 : 0);
    };
    checkElementwise<T, T>("cospi", allWidths, cosine, drawHalves, equal<T>);
    checkElementwise<T, T>(
        "sinpi", allWidths, [&](T x) { return cosine(x - static_cast<T>(0.5)); }, drawHalves,
        equal<T>);
  });
}

TEST(ExactMath, MinimaAndMaxima) {
  forEachFloating([](auto zero) {
    using T = decltype(zero);
    auto draw = drawn<T, T, T>();
    checkElementwise<T, T, T>(
        "fmax", withScalarForms, [](T x, T y) { return std::fmax(x, y); }, draw, equal<T>);
    checkElementwise<T, T, T>(
        "fmin", withScalarForms, [](T x, T y) { return std::fmin(x, y); }, draw, equal<T>);
    auto larger = [](T x, T y) {
      return std::fabs(x) > std::fabs(y) ? x : std::fabs(y) > std::fabs(x) ? y : std::fmax(x, y);
    };
    auto smaller = [](T x, T y) {
      return std::fabs(x) < std::fabs(y) ? x : std::fabs(y) < std::fabs(x) ? y : std::fmin(x, y);
    };
    checkElementwise<T, T, T>("maxmag", allWidths, larger, draw, equal<T>);
    checkElementwise<T, T, T>("minmag", allWidths, smaller, draw, equal<T>);
  });
}

TEST(ExactMath, Exponents) {
  forEachFloating([](auto zero) {
    using T = decltype(zero);
    checkElementwise<T, T>("logb", allWidths, [](T x) { return std::logb(x); });
    checkElementwise<std::int32_t, T>("ilogb", allWidths, [](T x) {
      // The C library's values for zero and NaN are others.
      return x == 0             ? std::numeric_limits<std::int32_t>::min()
             : std::isfinite(x) ? std::ilogb(x)
                                : std::numeric_limits<std::int32_t>::max();
    });
    auto scaled = [](T x, std::int32_t count) { return std::ldexp(x, count); };
    checkElementwise<T, T, std::int32_t>("ldexp", withScalarForms, scaled);
    auto near = [samples = Samples<T>()](auto& random) mutable {
      return std::tuple<T, std::int32_t>(samples.next(random),
                                         static_cast<std::int32_t>(random() % 4400) - 2200);
    };
    checkElementwise<T, T, std::int32_t>("ldexp", withScalarForms, scaled, near, same<T>);
  });
}

TEST(ExactMath, NanKeepsItsPayload) {
  forEachFloating([](auto zero) {
    using T = decltype(zero);
    using U = Integer<T>;
    checkElementwise<T, U>(
        "nan", allWidths,
        [](U payload) {
          return std::bit_cast<T>(
              static_cast<U>(payload | std::bit_cast<U>(std::numeric_limits<T>::quiet_NaN())));
        },
        drawn<T, U>(),
        [](T actual, T expected) {
          return std::bit_cast<U>(actual) == std::bit_cast<U>(expected);
        });
  });
}

constexpr auto exactly = [](auto actual, auto expected) { return same(actual, expected); };

TEST(ExactMath, Fract) {
  forEachFloating([](auto zero) {
    using T = decltype(zero);
    checkTwoResults<T, T, T>(
        "fract",
        [](T x) {
          T whole = std::floor(x);
          T fraction = std::isinf(x) || x == 0 ? std::copysign(T{0}, x)
                                               : std::min(x - whole, std::nextafter(T{1}, T{0}));
          return std::pair(std::isnan(x) ? x : fraction, whole);
        },
        exactly);
  });
}

TEST(ExactMath, Modf) {
  forEachFloating([](auto zero) {
    using T = decltype(zero);
    checkTwoResults<T, T, T>(
        "modf",
        [](T x) {
          T whole, fraction = std::modf(x, &whole);
          return std::pair(fraction, whole);
        },
        exactly);
  });
}

TEST(ExactMath, Frexp) {
  forEachFloating([](auto zero) {
    using T = decltype(zero);
    checkTwoResults<T, std::int32_t, T>(
        "frexp",
        [](T x) {
          int exponent = 0;
          T fraction = std::frexp(x, &exponent);
          return std::pair(fraction, std::isfinite(x) ? exponent : 0);
        },
        exactly);
  });
}

TEST(ExactMath, RemquoKeepsSevenBitsOfTheQuotient) {
  forEachFloating([](auto zero) {
    using T = decltype(zero);
    checkTwoResults<T, std::int32_t, T, T>(
        "remquo",
        [](T x, T y) {
          T remainder = std::remainder(x, y);
          if (std::isnan(remainder) || std::isinf(y))
            return std::pair(remainder, 0);
          // The remainder for 128 * y tells which multiples of y are left.
          long double rest = std::fmod(static_cast<long double>(x), 128.0L * y);
          auto multiples = static_cast<std::int32_t>(std::llround((rest - remainder) / y));
          multiples = std::abs(multiples) & 127;
          return std::pair(remainder, std::signbit(x) != std::signbit(y) ? -multiples : multiples);
        },
        exactly);
  });
}

} // namespace
} // namespace quern::builtins
