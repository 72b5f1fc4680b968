// Prints the largest error found for each mathematical function, in units in the last place, and
// the arguments it was found for; fails where one is beyond its limit.
//   error_table [--stride N] [NAME...]
// Unary functions of float are called with every Nth bit pattern, which for 1 are all numbers; the
// others with drawn arguments, as many as there are patterns, but at most a few million.
#include "builtin.h"
#include "math_arguments.h"
#include "math_functions.h"
#include "ulp.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <tuple>

namespace quern::builtins {
namespace {

constexpr std::uint64_t allFloats = std::uint64_t{1} << 32;
constexpr std::uint64_t mostDrawn = std::uint64_t{1} << 22;
constexpr int lanes = 16;

struct Worst {
  long double error = 0;
  std::string arguments = "none";
};

template <typename T> std::string shown(T x) {
  std::ostringstream text;
  if constexpr (std::is_floating_point_v<T>)
    text << std::hexfloat;
  text << x;
  return text.str();
}

template <typename T, typename... Arguments> const Builtin* find(const std::string& name) {
  constexpr Base bases[] = {baseOf<Arguments>()...};
  for (const Builtin* builtin : overloads(name))
    if (builtin->result.width == lanes && builtin->result.base == baseOf<T>() &&
        builtin->parameterCount == sizeof...(Arguments) &&
        std::equal(
            std::begin(bases), std::end(bases), builtin->parameters,
            [](Base base, const Type& type) { return base == type.base && type.width == lanes; }))
      return builtin;
  std::fprintf(stderr, "no function '%s' of %d elements\n", name.c_str(), lanes);
  std::exit(2);
}

/// Calls the function with what `next` stores into each lane until it returns false.
template <typename T, typename... Arguments>
Worst sweep(const Builtin& builtin, auto&& reference, auto&& next) {
  Worst worst;
  bool more = true;
  while (more) {
    Slot result;
    std::array<Slot, sizeof...(Arguments)> slots;
    void* pointers[sizeof...(Arguments)];
    std::array<std::tuple<Arguments...>, lanes> arguments;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      for (int lane = 0; lane < lanes; ++lane) {
        more = next(arguments[lane]);
        ((slots[I].template as<Arguments>()[lane] = std::get<I>(arguments[lane])), ...);
      }
      ((pointers[I] = &slots[I]), ...);
    }(std::index_sequence_for<Arguments...>{});
    builtin.call(&result, pointers);
    for (int lane = 0; lane < lanes; ++lane) {
      const long double error = ulpError(
          result.as<T>()[lane], static_cast<long double>(std::apply(reference, arguments[lane])));
      if (error <= worst.error)
        continue;
      worst = {error, ""};
      std::apply([&](auto... values) { ((worst.arguments += " " + shown(values)), ...); },
                 arguments[lane]);
    }
  }
  return worst;
}

template <typename T, typename... Arguments>
Worst drawn(const Builtin& builtin, auto&& reference, std::uint64_t count) {
  std::mt19937_64 random(1);
  return sweep<T, Arguments...>(builtin, reference, [&](std::tuple<Arguments...>& arguments) {
    arguments = {drawArgument<Arguments>(random)...};
    return count-- > 0 && count > lanes;
  });
}

template <typename T> Worst worstOf(const MathFunction<T>& function, std::uint64_t stride) {
  using Form = MathFunction<T>;
  const std::uint64_t count = std::min(allFloats / stride, mostDrawn);
  if (auto* unary = std::get_if<typename Form::Unary>(&function.reference)) {
    const Builtin& builtin = *find<T, T>(function.name);
    if constexpr (std::is_same_v<T, double>)
      return drawn<T, T>(builtin, *unary, count);
    else
      return sweep<T, T>(
          builtin, *unary, [pattern = std::uint64_t{0}, stride](std::tuple<T>& x) mutable {
            std::get<0>(x) = std::bit_cast<float>(static_cast<std::uint32_t>(pattern));
            pattern += stride;
            return pattern < allFloats;
          });
  }
  if (auto* binary = std::get_if<typename Form::Binary>(&function.reference))
    return drawn<T, T, T>(*find<T, T, T>(function.name), *binary, count);
  return drawn<T, T, std::int32_t>(*find<T, T, std::int32_t>(function.name),
                                   std::get<typename Form::WithInteger>(function.reference), count);
}

/// Whether every error is within its limit.
template <typename T> bool print(const std::vector<std::string>& names, std::uint64_t stride) {
  bool within = true;
  for (const MathFunction<T>& function : mathFunctions<T>()) {
    if (!names.empty() && std::ranges::find(names, function.name) == names.end())
      continue;
    const Worst worst = worstOf(function, stride);
    const bool fits = worst.error <= function.limit;
    std::printf("%-8s %-7s %8.3f %6g  at%s%s\n", function.name.c_str(),
                std::is_same_v<T, float> ? "float" : "double", static_cast<double>(worst.error),
                function.limit, worst.arguments.c_str(), fits ? "" : "  BEYOND THE LIMIT");
    std::fflush(stdout);
    within = within && fits;
  }
  return within;
}

int run(int count, char** values) {
  std::uint64_t stride = 1021;
  std::vector<std::string> names;
  for (int i = 1; i < count; ++i) {
    if (std::string_view(values[i]) == "--stride" && i + 1 < count)
      stride = std::max(1ull, std::strtoull(values[++i], nullptr, 10));
    else
      names.emplace_back(values[i]);
  }
  std::printf("function type       error  limit  arguments\n");
  const bool floats = print<float>(names, stride);
  const bool doubles = print<double>(names, stride);
  return floats && doubles ? 0 : 1;
}

} // namespace
} // namespace quern::builtins

int main(int count, char** values) {
  return quern::builtins::run(count, values);
}
