// Checks of functions that return one result and store another through a pointer.
#pragma once

#include "elementwise.h"

namespace quern::builtins {

/// Calls every overload of `name` with drawn arguments, in every address space, and compares both
/// results of each lane with the pair that `reference(arguments...)` returns; `agrees(actual,
/// expected)` decides for each.
template <typename T, typename Second, typename... Arguments>
void checkTwoResults(std::string_view name, auto&& reference, auto&& agrees) {
  constexpr int values = sizeof...(Arguments);
  int count = 0;
  for (const Builtin* builtin : overloads(name)) {
    if (builtin->result.base != baseOf<T>() || builtin->parameters[values].base != baseOf<Second>())
      continue;
    ++count;
    const int width = builtin->result.width;
    std::mt19937_64 random(width);
    std::tuple<Samples<Arguments>...> samples;
    for (int call = 0; call < callsPerOverload; ++call) {
      Slot result, stored;
      std::array<Slot, values> slots;
      void* pointers[values + 1];
      std::vector<std::tuple<Arguments...>> lanes(width);
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        for (int lane = 0; lane < width; ++lane)
          ((slots[I].template as<Arguments>()[lane] = std::get<I>(lanes[lane]) =
                std::get<I>(samples).next(random)),
           ...);
        ((pointers[I] = &slots[I]), ...);
      }(std::index_sequence_for<Arguments...>{});
      pointers[values] = &stored;
      builtin->call(&result, pointers);
      for (int lane = 0; lane < width; ++lane) {
        auto [first, second] = std::apply(reference, lanes[lane]);
        ASSERT_TRUE(agrees(result.as<T>()[lane], first) &&
                    agrees(stored.as<Second>()[lane], second))
            << describe(*builtin) << ", lane " << lane << ", arguments "
            << ::testing::PrintToString(lanes[lane]) << ": got " << result.as<T>()[lane] << " and "
            << stored.as<Second>()[lane] << ", expected " << first << " and " << second;
      }
    }
  }
  // Six widths; private, global, local and generic memory.
  EXPECT_EQ(count, 6 * 4) << "overloads of " << name;
}

} // namespace quern::builtins
