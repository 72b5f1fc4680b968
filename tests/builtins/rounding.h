// Rounding in the modes of OpenCL C, from exact values.
#pragma once

#include <cmath>
#include <limits>
#include <string_view>

namespace quern::builtins {

enum class Rounding { NearestEven, TowardsZero, Up, Down };

/// The mode that a function's name ends with, or `otherwise`.
inline Rounding roundingOf(std::string_view name, Rounding otherwise) {
  if (name.ends_with("_rte"))
    return Rounding::NearestEven;
  if (name.ends_with("_rtz"))
    return Rounding::TowardsZero;
  if (name.ends_with("_rtp"))
    return Rounding::Up;
  if (name.ends_with("_rtn"))
    return Rounding::Down;
  return otherwise;
}

inline long double roundToInteger(long double x, Rounding mode) {
  long double below = std::floor(x), above = std::ceil(x);
  switch (mode) {
  case Rounding::TowardsZero:
    return x < 0 ? above : below;
  case Rounding::Up:
    return above;
  case Rounding::Down:
    return below;
  case Rounding::NearestEven:
    break;
  }
  if (x - below != above - x)
    return x - below < above - x ? below : above;
  return std::fmod(below, 2) == 0 ? below : above;
}

/// The number of type T that an exact value becomes.
template <typename T> T roundTo(long double exact, Rounding mode) {
  constexpr T infinity = std::numeric_limits<T>::infinity();
  T nearest = static_cast<T>(exact);
  bool tooHigh = nearest > exact, tooLow = nearest < exact;
  bool wantsLower = mode == Rounding::Down || (mode == Rounding::TowardsZero && exact > 0);
  bool wantsHigher = mode == Rounding::Up || (mode == Rounding::TowardsZero && exact < 0);
  if (tooHigh && wantsLower)
    return std::nextafter(nearest, -infinity);
  if (tooLow && wantsHigher)
    return std::nextafter(nearest, infinity);
  return nearest;
}

} // namespace quern::builtins
