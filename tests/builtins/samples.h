// Numbers to test with: the edges of each type, mixed with random ones of all magnitudes. Every run
// of a test draws the same numbers.
#pragma once

#include "builtin.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace quern::builtins {

template <typename T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <typename T> std::vector<T> edges() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> found;
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    for (int bit = 0; bit < Limits::digits; ++bit)
      for (int offset : {-1, 0, 1})
        for (int sign : {-1, 1})
          found.push_back(
              static_cast<T>(static_cast<U>(sign) * ((U{1} << bit) + static_cast<U>(offset))));
    for (T edge : {Limits::min(), static_cast<T>(Limits::min() + 1), Limits::max(),
                   static_cast<T>(Limits::max() - 1)})
      found.push_back(edge);
  } else {
    std::vector<T> positive = {0,
                               Limits::denorm_min(),
                               Limits::min(),
                               Limits::max(),
                               Limits::infinity(),
                               Limits::quiet_NaN()};
    positive.push_back(std::nextafter(Limits::min(), T{0}));
    for (int exponent : {-150, -126, -25, -24, -15, -14, -1, 0,  1,  2,  3,  7,  8,
                         15,   16,   23,  24,  31,  32,  52, 53, 62, 63, 64, 127})
      for (T factor : {T{1}, T{1.25}, T{1.5}}) {
        T power = std::ldexp(factor, exponent);
        positive.insert(positive.end(), {power, std::nextafter(power, T{0}),
                                         std::nextafter(power, Limits::infinity()), power - T{0.5},
                                         power + T{0.5}, power - T{1}, power + T{1}});
      }
    for (T edge : positive)
      found.insert(found.end(), {edge, -edge});
  }
  return found;
}

/// Draws numbers of one type. Half of them are edges; the others have random bits, cut to a random
/// magnitude.
template <typename T> class Samples {
public:
  T next(std::mt19937_64& random) {
    std::uint64_t bits = random();
    if (random() & 1)
      return edges_[bits % edges_.size()];
    if constexpr (std::is_integral_v<T>) {
      int shift = static_cast<int>(random() % (sizeof(T) * 8));
      auto value = static_cast<std::make_unsigned_t<T>>(bits);
      return static_cast<T>(random() & 1 ? static_cast<T>(value) >> shift
                                         : static_cast<T>(value >> shift));
    } else {
      auto value = std::bit_cast<T>(static_cast<BitsOf<T>>(bits));
      // Numbers in the range of the integers take the turn of every second one.
      return random() & 1 ? value
                          : std::ldexp(static_cast<T>(static_cast<std::int64_t>(bits)),
                                       static_cast<int>(random() % 70) - 64);
    }
  }

private:
  std::vector<T> edges_ = edges<T>();
};

/// There are so few halves that any bits will do.
template <> class Samples<Half> {
public:
  Half next(std::mt19937_64& random) { return {static_cast<std::uint16_t>(random())}; }
};

} // namespace quern::builtins
