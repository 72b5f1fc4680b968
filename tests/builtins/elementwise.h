// Checks of functions that treat each element of their arguments alone: every overload, on every
// lane, against one scalar reference.
#pragma once

#include "builtin.h"
#include "samples.h"

#include <cmath>
#include <gtest/gtest.h>
#include <tuple>
#include <utility>

namespace quern::builtins {

/// Equal as values, NaN equal to NaN, and zeros of different sign different.
template <typename T> bool same(T actual, T expected) {
  if constexpr (std::is_floating_point_v<T>)
    if (actual == expected)
      return std::signbit(actual) == std::signbit(expected);
    else
      return std::isnan(actual) && std::isnan(expected);
  else
    return actual == expected;
}

/// Whether a function has the given element types, all passed by value, and every width is that of
/// the result or 1.
template <typename Result, typename... Arguments> bool matches(const Builtin& builtin) {
  constexpr Base bases[] = {baseOf<Arguments>()...};
  if (builtin.parameterCount != sizeof...(Arguments) || builtin.result.base != baseOf<Result>())
    return false;
  for (int i = 0; i < builtin.parameterCount; ++i) {
    const Type& type = builtin.parameters[i];
    if (type.base != bases[i] || type.space != Space::None ||
        (type.width != 1 && type.width != builtin.result.width))
      return false;
  }
  return true;
}

constexpr int callsPerOverload = 3000;

/// How many overloads must be found at least, and the least number of elements that they must have
/// to be looked at.
struct Overloads {
  Overloads(int least, int leastWidth = 1) : least(least), leastWidth(leastWidth) {}
  int least;
  int leastWidth;
};

/// Calls every overload of `name` whose elements have the given types with drawn arguments, or with
/// those that `draw` returns for one lane, and compares each lane with `reference`; `agrees(actual,
/// expected)` decides.
template <typename Result, typename... Arguments, typename Reference, typename Draw,
          typename Agrees>
void checkElementwise(std::string_view name, Overloads expected, Reference&& reference, Draw&& draw,
                      Agrees&& agrees, int calls = callsPerOverload) {
  int count = 0;
  for (const Builtin* builtin : overloads(name)) {
    if (!matches<Result, Arguments...>(*builtin) || builtin->result.width < expected.leastWidth)
      continue;
    ++count;
    std::mt19937_64 random(builtin->result.width);
    const int width = builtin->result.width;
    for (int call = 0; call < calls; ++call) {
      Slot result;
      std::array<Slot, sizeof...(Arguments)> slots;
      void* pointers[sizeof...(Arguments)];
      std::vector<std::tuple<Arguments...>> lanes(width);
      for (int lane = 0; lane < width; ++lane)
        lanes[lane] = draw(random);
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        for (auto& arguments : lanes) {
          // A scalar among vectors is the same for every lane.
          ((std::get<I>(arguments) =
                builtin->parameters[I].width == 1 ? std::get<I>(lanes[0]) : std::get<I>(arguments)),
           ...);
          ((slots[I].template as<Arguments>()[&arguments - lanes.data()] = std::get<I>(arguments)),
           ...);
        }
        ((pointers[I] = &slots[I]), ...);
      }(std::index_sequence_for<Arguments...>{});
      builtin->call(&result, pointers);
      for (int lane = 0; lane < width; ++lane) {
        Result actual = result.as<Result>()[lane];
        Result wanted = std::apply(reference, lanes[lane]);
        if (agrees(actual, wanted))
          continue;
        std::string arguments;
        std::apply(
            [&](auto... values) { ((arguments += ::testing::PrintToString(values) + " "), ...); },
            lanes[lane]);
        FAIL() << describe(*builtin) << ", lane " << lane << " of " << width << ", arguments "
               << arguments << ": got " << ::testing::PrintToString(actual) << ", expected "
               << ::testing::PrintToString(wanted);
      }
    }
  }
  EXPECT_GE(count, expected.least) << "overloads of " << name;
}

template <typename Result, typename... Arguments, typename Reference>
void checkElementwise(std::string_view name, Overloads expected, Reference&& reference) {
  std::tuple<Samples<Arguments>...> samples;
  auto draw = [&](std::mt19937_64& random) {
    return std::apply(
        [&](auto&... source) { return std::tuple<Arguments...>{source.next(random)...}; }, samples);
  };
  checkElementwise<Result, Arguments...>(name, expected, reference, draw, same<Result>);
}

} // namespace quern::builtins
