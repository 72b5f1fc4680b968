// The common functions and the geometric ones.
#include "elementwise.h"
#include "ulp.h"

namespace quern::builtins {
namespace {

constexpr int allWidths = 6;
// Vectors may take scalars as further operands.
constexpr int withScalarForms = 11;

template <typename T> bool equal(T actual, T expected) {
  return actual == expected || (std::isnan(actual) && std::isnan(expected));
}

/// Numbers without NaN, for which the results of these functions are free.
template <typename T> T number(std::mt19937_64& random) {
  static Samples<T> samples;
  T value = samples.next(random);
  return std::isnan(value) ? T{1} : value;
}

template <typename T> T moderate(std::mt19937_64& random) {
  T value = static_cast<T>(static_cast<std::int64_t>(random())) / static_cast<T>(0x1p63);
  return std::ldexp(value, static_cast<int>(random() % 20) - 10);
}

TEST(Common, Bounds) {
  forEachFloating([](auto zero) {
    using T = decltype(zero);
    auto two = [](auto& random) { return std::tuple<T, T>{number<T>(random), number<T>(random)}; };
    checkElementwise<T, T, T>(
        "max", withScalarForms, [](T x, T y) { return std::max(x, y); }, two, equal<T>);
    checkElementwise<T, T, T>(
        "min", withScalarForms, [](T x, T y) { return std::min(x, y); }, two, equal<T>);
    auto ordered = [](auto& random) {
      T a = number<T>(random), b = number<T>(random);
      return std::tuple<T, T, T>{number<T>(random), std::min(a, b), std::max(a, b)};
    };
    checkElementwise<T, T, T, T>(
        "clamp", withScalarForms,
        [](T x, T low, T high) { return std::min(std::max(x, low), high); }, ordered, equal<T>);
    checkElementwise<T, T, T>(
        "step", withScalarForms, [](T edge, T x) { return T(x < edge ? 0 : 1); }, two, equal<T>);
    checkElementwise<T, T>("sign", allWidths, [](T x) {
      return std::isnan(x) ? T{0} : x == 0 ? x : std::copysign(T{1}, x);
    });
  });
}

TEST(Common, Interpolation) {
  forEachFloating([](auto zero) {
    using T = decltype(zero);
    constexpr T tolerance = 16 * std::numeric_limits<T>::epsilon();
    auto draw = [](auto& random) {
      T share = static_cast<T>(random()) / static_cast<T>(0x1p64);
      return std::tuple<T, T, T>{moderate<T>(random), moderate<T>(random), share};
    };
    checkElementwise<T, T, T, T>(
        "mix", withScalarForms,
        [](T x, T y, T share) {
          return static_cast<T>(x + (static_cast<long double>(y) - x) * share);
        },
        draw,
        [](T actual, T expected) { return std::fabs(actual - expected) <= tolerance * 1024; });
    auto drawEdges = [](auto& random) {
      T low = moderate<T>(random);
      return std::tuple<T, T, T>{low, low + std::fabs(moderate<T>(random)) + T{1},
                                 moderate<T>(random)};
    };
    checkElementwise<T, T, T, T>(
        "smoothstep", withScalarForms,
        [](long double low, long double high, long double x) {
          long double share = std::clamp((x - low) / (high - low), 0.0L, 1.0L);
          return static_cast<T>(share * share * (3 - 2 * share));
        },
        drawEdges,
        [](T actual, T expected) { return std::fabs(actual - expected) <= tolerance * 64; });
  });
}

TEST(Common, Angles) {
  forEachFloating([](auto zero) {
    using T = decltype(zero);
    constexpr long double degreesOfRadian = 57.295779513082320876798154814105170332L;
    auto draw = [](auto& random) { return std::tuple<T>{number<T>(random)}; };
    auto agrees = [](T actual, T expected) { return ulpError<T>(actual, expected) <= 1.5L; };
    checkElementwise<T, T>(
        "degrees", allWidths, [&](T x) { return static_cast<T>(x * degreesOfRadian); }, draw,
        agrees);
    checkElementwise<T, T>(
        "radians", allWidths, [&](T x) { return static_cast<T>(x / degreesOfRadian); }, draw,
        agrees);
  });
}

template <typename T> std::vector<T> drawVector(int width, std::mt19937_64& random, bool anySize) {
  std::vector<T> v(width);
  int exponent = static_cast<int>(random() % (std::numeric_limits<T>::max_exponent - 8));
  for (T& x : v)
    x = anySize ? std::ldexp(moderate<T>(random), random() % 2 ? exponent : -exponent)
                : moderate<T>(random);
  return v;
}

long double norm(std::span<const long double> v) {
  long double sum = 0;
  for (long double x : v)
    sum += x * x;
  return std::sqrt(sum);
}

/// Calls every overload of a function of one or two vectors; check(builtin, x, y, results) looks at
/// one call.
template <typename T>
void forVectors(std::string_view name, bool anySize, int least, auto&& check) {
  int count = 0;
  for (const Builtin* builtin : overloads(name)) {
    const Type& type = builtin->parameters[0];
    if (type.base != baseOf<T>())
      continue;
    ++count;
    std::mt19937_64 random(type.width);
    for (int call = 0; call < callsPerOverload; ++call) {
      Slot x, y, result;
      std::vector<T> a = drawVector<T>(type.width, random, anySize),
                     b = drawVector<T>(type.width, random, anySize);
      std::copy(a.begin(), a.end(), x.as<T>().data());
      std::copy(b.begin(), b.end(), y.as<T>().data());
      void* arguments[] = {&x, &y};
      builtin->call(&result, arguments);
      std::vector<long double> wideA(a.begin(), a.end()), wideB(b.begin(), b.end());
      check(*builtin, wideA, wideB, result.as<T>());
      if (::testing::Test::HasFatalFailure())
        return;
    }
  }
  EXPECT_GE(count, least) << name;
}

using Vector = std::vector<long double>;

TEST(Geometric, Products) {
  forEachFloating([](auto zero) {
    using T = decltype(zero);
    constexpr long double epsilon = std::numeric_limits<T>::epsilon();
    forVectors<T>(
        "dot", false, 4,
        [](const Builtin& builtin, const Vector& x, const Vector& y, std::span<T> result) {
          long double exact = 0, size = 0;
          for (std::size_t i = 0; i < x.size(); ++i) {
            exact += x[i] * y[i];
            size += std::fabs(x[i] * y[i]);
          }
          ASSERT_LE(std::fabs(result[0] - exact), size * epsilon * (2 * x.size() - 1))
              << describe(builtin);
        });
    forVectors<T>(
        "cross", false, 2,
        [](const Builtin& builtin, const Vector& x, const Vector& y, std::span<T> result) {
          for (int i = 0; i < 3; ++i) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            long double exact = x[j] * y[k] - x[k] * y[j],
                        size = std::fabs(x[j] * y[k]) + std::fabs(x[k] * y[j]);
            ASSERT_LE(std::fabs(result[i] - exact), size * epsilon * 3) << describe(builtin);
          }
          if (x.size() == 4)
            ASSERT_EQ(result[3], 0) << describe(builtin);
        });
  });
}

TEST(Geometric, LengthsOfAllSizes) {
  forEachFloating([](auto zero) {
    using T = decltype(zero);
    const double limit = sizeof(T) == 4 ? 2.75 : 5.5;
    forVectors<T>("length", true, 4,
                  [&](const Builtin& builtin, const Vector& x, const Vector&, std::span<T> result) {
                    ASSERT_LE(ulpError<T>(result[0], norm(x)), limit + 0.5 * x.size())
                        << describe(builtin) << " of " << ::testing::PrintToString(x);
                  });
    forVectors<T>(
        "distance", true, 4,
        [&](const Builtin& builtin, const Vector& x, const Vector& y, std::span<T> result) {
          Vector difference(x.size());
          for (std::size_t i = 0; i < x.size(); ++i)
            difference[i] = x[i] - y[i];
          ASSERT_LE(ulpError<T>(result[0], norm(difference)), limit + 2 * x.size())
              << describe(builtin);
        });
    forVectors<T>(
        "normalize", true, 4,
        [&](const Builtin& builtin, const Vector& x, const Vector&, std::span<T> result) {
          long double size = norm(x);
          for (std::size_t i = 0; i < x.size(); ++i)
            ASSERT_LE(ulpError<T>(result[i], size == 0 ? x[i] : x[i] / size), limit + x.size())
                << describe(builtin) << " of " << ::testing::PrintToString(x);
        });
  });
}

TEST(Geometric, FastForms) {
  constexpr double limit = 8192 + 4;
  forVectors<float>(
      "fast_length", false, 4,
      [&](const Builtin& builtin, const Vector& x, const Vector&, std::span<float> result) {
        ASSERT_LE(ulpError<float>(result[0], norm(x)), limit) << describe(builtin);
      });
  forVectors<float>(
      "fast_distance", false, 4,
      [&](const Builtin& builtin, const Vector& x, const Vector& y, std::span<float> result) {
        Vector difference(x.size());
        for (std::size_t i = 0; i < x.size(); ++i)
          difference[i] = x[i] - y[i];
        ASSERT_LE(ulpError<float>(result[0], norm(difference)), limit) << describe(builtin);
      });
  forVectors<float>(
      "fast_normalize", false, 4,
      [&](const Builtin& builtin, const Vector& x, const Vector&, std::span<float> result) {
        for (std::size_t i = 0; i < x.size(); ++i)
          ASSERT_LE(ulpError<float>(result[i], x[i] / norm(x)), limit) << describe(builtin);
      });
}

TEST(Geometric, NormalizeAtTheEdges) {
  forEachFloating([](auto zero) {
    using T = decltype(zero);
    constexpr T infinity = std::numeric_limits<T>::infinity();
    for (const Builtin* builtin : overloads("normalize")) {
      if (builtin->result.base != baseOf<T>())
        continue;
      auto normalized = [&](T first, T others) {
        Slot argument, result;
        for (int i = 0; i < builtin->result.width; ++i)
          argument.as<T>()[i] = i == 0 ? first : others;
        void* arguments[] = {&argument};
        builtin->call(&result, arguments);
        return std::vector<T>(result.as<T>().begin(),
                              result.as<T>().begin() + builtin->result.width);
      };
      for (T x : normalized(0, 0))
        EXPECT_EQ(x, 0) << describe(*builtin);
      for (T x : normalized(std::numeric_limits<T>::quiet_NaN(), infinity))
        EXPECT_TRUE(std::isnan(x)) << describe(*builtin);
      std::vector<T> result = normalized(-infinity, 3);
      EXPECT_EQ(result[0], -1) << describe(*builtin);
      for (std::size_t i = 1; i < result.size(); ++i)
        EXPECT_EQ(result[i], 0) << describe(*builtin);
      result = normalized(-infinity, infinity);
      for (std::size_t i = 0; i < result.size(); ++i)
        EXPECT_NEAR(result[i], (i == 0 ? -1 : 1) / std::sqrt(T(result.size())), 1e-6)
            << describe(*builtin);
      constexpr T least = std::numeric_limits<T>::denorm_min();
      result = normalized(3 * least, -least);
      const T size = std::sqrt(T(8 + result.size()));
      for (std::size_t i = 0; i < result.size(); ++i)
        EXPECT_LE(ulpError<T>(result[i], (i == 0 ? 3 : -1) / size), 8) << describe(*builtin);
      constexpr T large = std::numeric_limits<T>::max() / 2, small = 3 * least * large;
      result = normalized(large, small);
      EXPECT_EQ(result[0], 1) << describe(*builtin);
      for (std::size_t i = 1; i < result.size(); ++i)
        EXPECT_EQ(result[i], 3 * least) << describe(*builtin);
    }
  });
}

} // namespace
} // namespace quern::builtins
