// The mathematical functions with limits in units in the last place, in all widths, with arguments
// from the whole range.
#include "elementwise.h"
#include "math_reference.h"
#include "ulp.h"

#include <functional>

namespace quern::builtins {
namespace {

/// An argument: half of them any number at all, the others of the magnitudes at which the functions
/// do something.
template <typename T> T drawArgument(std::mt19937_64& random) {
  static Samples<T> samples;
  if (random() % 2)
    return samples.next(random);
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<T>(random() % 41) - 20);
  } else {
    T unit = static_cast<T>(random()) / static_cast<T>(0x1p64);
    constexpr T scales[] = {T{1}, T{2}, T{10}, T{100}, T{1000}, T{0.01}};
    T value = unit * scales[random() % std::size(scales)];
    return random() % 2 ? value : -value;
  }
}

/// Calls all overloads of `name`, finds the largest error, in units in the last place of T, and
/// compares it with the limit.
template <typename T, typename... Arguments>
void checkErrors(std::string_view name, double limit, auto&& reference) {
  int count = 0;
  for (const Builtin* builtin : overloads(name)) {
    if (!matches<T, Arguments...>(*builtin))
      continue;
    ++count;
    const int width = builtin->result.width;
    const int calls = width == 1 ? 200000 : 40000 / width;
    std::mt19937_64 random(width);
    long double worst = 0;
    std::string message;
    for (int call = 0; call < calls; ++call) {
      Slot result;
      std::array<Slot, sizeof...(Arguments)> slots;
      void* pointers[sizeof...(Arguments)];
      std::vector<std::tuple<Arguments...>> lanes(width);
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        for (int lane = 0; lane < width; ++lane)
          ((slots[I].template as<Arguments>()[lane] = std::get<I>(lanes[lane]) =
                drawArgument<Arguments>(random)),
           ...);
        ((pointers[I] = &slots[I]), ...);
      }(std::index_sequence_for<Arguments...>{});
      builtin->call(&result, pointers);
      for (int lane = 0; lane < width; ++lane) {
        long double exact = std::apply(reference, lanes[lane]);
        T actual = result.as<T>()[lane];
        long double error = ulpError(actual, exact);
        if (error <= worst)
          continue;
        worst = error;
        message.clear();
        std::apply(
            [&](auto... values) { ((message += ::testing::PrintToString(values) + " "), ...); },
            lanes[lane]);
        message += "gave " + ::testing::PrintToString(actual) + ", exactly " +
                   ::testing::PrintToString(exact);
      }
    }
    EXPECT_LE(worst, limit) << describe(*builtin) << ": " << message;
  }
  EXPECT_EQ(count, 6) << "overloads of " << name;
}

struct Function {
  std::string name;
  std::function<void()> check;
};

void PrintTo(const Function& function, std::ostream* out) {
  *out << function.name;
}

template <typename T> void addFunctions(std::vector<Function>& functions) {
  std::string type = std::is_same_v<T, float> ? "_float" : "_double";
  using Real = long double;
  auto unary = [&](std::string name, double limit, Real (*f)(Real)) {
    functions.push_back(
        {name + type, [=] { checkErrors<T, T>(name, limit, [f](T x) { return f(x); }); }});
  };
  auto binary = [&](std::string name, double limit, Real (*f)(Real, Real)) {
    functions.push_back({name + type, [=] {
                           checkErrors<T, T, T>(name, limit, [f](T x, T y) { return f(x, y); });
                         }});
  };
  auto withInteger = [&](std::string name, double limit, Real (*f)(Real, int)) {
    functions.push_back({name + type, [=] {
                           checkErrors<T, T, std::int32_t>(
                               name, limit, [f](T x, std::int32_t n) { return f(x, n); });
                         }});
  };
  unary("acos", 4, std::acos);
  unary("acosh", 4, std::acosh);
  unary("acospi", 5, [](Real x) { return std::acos(x) / pi; });
  unary("asin", 4, std::asin);
  unary("asinh", 4, std::asinh);
  unary("asinpi", 5, [](Real x) { return std::asin(x) / pi; });
  unary("atan", 5, std::atan);
  unary("atanh", 5, std::atanh);
  unary("atanpi", 5, [](Real x) { return std::atan(x) / pi; });
  unary("cbrt", 2, std::cbrt);
  unary("cos", 4, std::cos);
  unary("cosh", 4, std::cosh);
  unary("cospi", 4, cosPi);
  unary("erf", 16, std::erf);
  unary("erfc", 16, std::erfc);
  unary("exp", 3, std::exp);
  unary("exp2", 3, std::exp2);
  unary("exp10", 3, [](Real x) { return power(10, x); });
  unary("expm1", 3, std::expm1);
  unary("log", 3, std::log);
  unary("log2", 3, std::log2);
  unary("log10", 3, std::log10);
  unary("log1p", 2, std::log1p);
  unary("rsqrt", 2, [](Real x) { return 1 / std::sqrt(x); });
  unary("sin", 4, std::sin);
  unary("sinh", 4, std::sinh);
  unary("sinpi", 4, sinPi);
  unary("sqrt", 0.5, std::sqrt);
  unary("tan", 5, std::tan);
  unary("tanh", 5, std::tanh);
  unary("tanpi", 6, tanPi);
  unary("tgamma", 16, std::tgamma);
  binary("atan2", 6, std::atan2);
  binary("atan2pi", 6, [](Real y, Real x) { return std::atan2(y, x) / pi; });
  binary("hypot", 4, std::hypot);
  binary("pow", 16, power);
  binary("powr", 16, powNatural);
  withInteger("pown", 16, [](Real x, int n) { return power(x, n); });
  withInteger("rootn", 16, root);
}

std::vector<Function> allFunctions() {
  std::vector<Function> functions;
  addFunctions<float>(functions);
  addFunctions<double>(functions);
  return functions;
}

class Math : public ::testing::TestWithParam<Function> {};

TEST_P(Math, IsWithinItsLimit) {
  GetParam().check();
}

INSTANTIATE_TEST_SUITE_P(, Math, ::testing::ValuesIn(allFunctions()),
                         [](const auto& info) { return info.param.name; });

} // namespace
} // namespace quern::builtins
