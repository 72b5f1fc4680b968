// Comparisons, tests and choices: true is 1 for a scalar and -1 for an element of a vector.
#include "elementwise.h"

namespace quern::builtins {
namespace {

constexpr int vectorWidths = 5;
constexpr int allWidths = 6;

template <typename T> using Mask = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

/// Checks the vector forms, whose masks are as wide as the elements, and the scalar form, which
/// returns an int.
template <typename T, typename Condition, typename... Same>
void checkCondition(std::string_view name, Condition&& condition) {
  checkElementwise<Mask<T>, Same...>(
      name, {vectorWidths, 2},
      [&](auto... x) { return static_cast<Mask<T>>(condition(x...) ? -1 : 0); },
      [samples = Samples<T>()](auto& random) mutable {
        return std::tuple<Same...>{static_cast<Same>(samples.next(random))...};
      },
      same<Mask<T>>);
}

template <typename T, typename Condition>
void checkScalarCondition(std::string_view name, int operands, Condition&& condition) {
  Samples<T> samples;
  std::mt19937_64 random;
  int count = 0;
  for (const Builtin* builtin : overloads(name)) {
    if (builtin->parameters[0].base != baseOf<T>() || builtin->parameters[0].width != 1)
      continue;
    ++count;
    EXPECT_EQ(builtin->result.base, Base::Int);
    for (int call = 0; call < callsPerOverload; ++call) {
      T x = samples.next(random), y = samples.next(random);
      std::int32_t result = 7;
      void* arguments[] = {&x, &y};
      builtin->call(&result, arguments);
      ASSERT_EQ(result, condition(x, y) ? 1 : 0)
          << describe(*builtin) << " of " << x << (operands == 2 ? ", " : "") << y;
    }
  }
  EXPECT_EQ(count, 1) << name;
}

template <typename T, typename Condition>
void checkTest(std::string_view name, Condition condition) {
  checkCondition<T, Condition&, T>(name, condition);
  checkScalarCondition<T>(name, 1, [&](T x, T) { return condition(x); });
}

template <typename T, typename Condition>
void checkComparison(std::string_view name, Condition condition) {
  checkCondition<T, Condition&, T, T>(name, condition);
  checkScalarCondition<T>(name, 2, condition);
}

template <typename T> void checkAll() {
  checkComparison<T>("isequal", [](T x, T y) { return x == y; });
  checkComparison<T>("isnotequal", [](T x, T y) { return x != y; });
  checkComparison<T>("isgreater", [](T x, T y) { return x > y; });
  checkComparison<T>("isgreaterequal", [](T x, T y) { return x >= y; });
  checkComparison<T>("isless", [](T x, T y) { return x < y; });
  checkComparison<T>("islessequal", [](T x, T y) { return x <= y; });
  checkComparison<T>("islessgreater", [](T x, T y) { return std::islessgreater(x, y); });
  checkComparison<T>("isordered", [](T x, T y) { return !std::isunordered(x, y); });
  checkComparison<T>("isunordered", [](T x, T y) { return std::isunordered(x, y); });
  checkTest<T>("isfinite", [](T x) { return std::isfinite(x); });
  checkTest<T>("isinf", [](T x) { return std::isinf(x); });
  checkTest<T>("isnan", [](T x) { return std::isnan(x); });
  checkTest<T>("isnormal", [](T x) { return std::isnormal(x); });
  checkTest<T>("signbit", [](T x) { return std::signbit(x); });
}

TEST(Relational, Float) {
  checkAll<float>();
}

TEST(Relational, Double) {
  checkAll<double>();
}

TEST(Relational, AllAndAny) {
  int count = 0;
  for (std::string_view name : {"all", "any"})
    for (const Builtin* builtin : overloads(name)) {
      ++count;
      const Type& type = builtin->parameters[0];
      auto check = [&](auto zero) {
        using T = decltype(zero);
        if (baseOf<T>() != type.base)
          return;
        // Every combination of highest bits, for the widest vector too.
        for (unsigned bits = 0; bits < 1u << type.width; ++bits) {
          Slot argument;
          for (int lane = 0; lane < type.width; ++lane)
            argument.as<T>()[lane] =
                static_cast<T>(bits >> lane & 1 ? std::numeric_limits<T>::min() + 5 : lane);
          std::int32_t result = 7;
          void* arguments[] = {&argument};
          builtin->call(&result, arguments);
          ASSERT_EQ(result, name == "all" ? bits + 1 == 1u << type.width : bits != 0)
              << describe(*builtin) << " of " << bits;
        }
      };
      forEachInteger(check);
    }
  EXPECT_EQ(count, 2 * 4 * allWidths);
}

template <typename T> auto bitsOf(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<BitsOf<T>>(x);
  else
    return static_cast<std::make_unsigned_t<T>>(x);
}

template <typename T> bool sameBits(T actual, T expected) {
  return bitsOf(actual) == bitsOf(expected);
}

TEST(Relational, BitSelect) {
  forEachType([](auto zero) {
    using T = decltype(zero);
    using U = decltype(bitsOf(zero));
    auto draw = [samples = Samples<T>()](auto& random) mutable {
      return std::tuple<T, T, T>{samples.next(random), samples.next(random), samples.next(random)};
    };
    auto choose = [](T zeros, T ones, T mask) {
      return std::bit_cast<T>(
          static_cast<U>((bitsOf(zeros) & ~bitsOf(mask)) | (bitsOf(ones) & bitsOf(mask))));
    };
    checkElementwise<T, T, T, T>("bitselect", allWidths, choose, draw, sameBits<T>);
  });
}

template <typename T, typename Condition> void checkSelect() {
  int count = 0;
  std::mt19937_64 random;
  Samples<T> samples;
  Samples<Condition> conditions;
  for (const Builtin* builtin : overloads("select")) {
    if (!matches<T, T, T, Condition>(*builtin))
      continue;
    ++count;
    for (int call = 0; call < callsPerOverload; ++call) {
      Slot otherwise, chosen, condition, result;
      const int width = builtin->result.width;
      for (int lane = 0; lane < width; ++lane) {
        otherwise.as<T>()[lane] = samples.next(random);
        chosen.as<T>()[lane] = samples.next(random);
        condition.as<Condition>()[lane] = conditions.next(random);
      }
      void* arguments[] = {&otherwise, &chosen, &condition};
      builtin->call(&result, arguments);
      for (int lane = 0; lane < width; ++lane) {
        Condition c = condition.as<Condition>()[lane];
        bool holds = width == 1 ? c != 0 : static_cast<std::make_signed_t<Condition>>(c) < 0;
        ASSERT_TRUE(
            sameBits(result.as<T>()[lane], holds ? chosen.as<T>()[lane] : otherwise.as<T>()[lane]))
            << describe(*builtin) << ", lane " << lane << ", condition " << +c;
      }
    }
  }
  EXPECT_EQ(count, allWidths);
}

TEST(Relational, Select) {
  forEachType([](auto zero) {
    using T = decltype(zero);
    using U = decltype(bitsOf(zero));
    checkSelect<T, U>();
    checkSelect<T, std::make_signed_t<U>>();
  });
}

} // namespace
} // namespace quern::builtins
