// The mathematical functions with limits in units in the last place, in all widths, with arguments
// from the whole range.
#include "elementwise.h"
#include "math_arguments.h"
#include "math_functions.h"
#include "ulp.h"

#include <functional>

namespace quern::builtins {
namespace {

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
  using Form = MathFunction<T>;
  for (const Form& function : mathFunctions<T>()) {
    auto check = [function] {
      if (auto* unary = std::get_if<typename Form::Unary>(&function.reference))
        checkErrors<T, T>(function.name, function.limit, [f = *unary](T x) { return f(x); });
      else if (auto* binary = std::get_if<typename Form::Binary>(&function.reference))
        checkErrors<T, T, T>(function.name, function.limit,
                             [f = *binary](T x, T y) { return f(x, y); });
      else
        checkErrors<T, T, std::int32_t>(
            function.name, function.limit,
            [f = std::get<typename Form::WithInteger>(function.reference)](T x, std::int32_t n) {
              return f(x, n);
            });
    };
    functions.push_back({function.name + type, check});
  }
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
