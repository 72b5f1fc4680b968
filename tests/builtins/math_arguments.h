// Arguments that show the errors of mathematical functions.
#pragma once

#include "samples.h"

namespace quern::builtins {

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

} // namespace quern::builtins
