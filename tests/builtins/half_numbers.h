// Numbers of type half: their values, and the rounding of exact values by a search among all
// halves.
#pragma once

#include "elementwise.h"
#include "rounding.h"

#include <algorithm>

namespace quern::builtins {

inline double valueOfHalf(std::uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double magnitude = exponent == 31  ? (fraction ? std::numeric_limits<double>::quiet_NaN()
                                                 : std::numeric_limits<double>::infinity())
                     : exponent == 0 ? std::ldexp(fraction, -24)
                                     : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

/// The largest half that is not above a finite magnitude.
inline std::uint16_t halfNotAbove(double magnitude) {
  static const std::vector<double> finite = [] {
    std::vector<double> values;
    for (int bits = 0; bits < 0x7c00; ++bits)
      values.push_back(valueOfHalf(static_cast<std::uint16_t>(bits)));
    return values;
  }();
  return static_cast<std::uint16_t>(std::upper_bound(finite.begin(), finite.end(), magnitude) -
                                    finite.begin() - 1);
}

inline std::uint16_t toHalf(double x, Rounding mode) {
  std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  double magnitude = std::fabs(x);
  if (std::isinf(x))
    return sign | 0x7c00;
  std::uint16_t below = halfNotAbove(magnitude);
  // Beyond the largest half, the next step up is where 65536 would lie.
  double lower = valueOfHalf(below), upper = below == 0x7bff ? 65536.0 : valueOfHalf(below + 1);
  bool up = false;
  if (magnitude != lower) {
    if (mode == Rounding::NearestEven)
      up = magnitude - lower != upper - magnitude ? magnitude - lower > upper - magnitude
                                                  : below & 1;
    else
      up = mode == (sign ? Rounding::Down : Rounding::Up);
  }
  return sign | static_cast<std::uint16_t>(below + up);
}

inline Half halfOf(double x, Rounding mode = Rounding::NearestEven) {
  return std::isnan(x) ? Half{0x7e00} : Half{toHalf(x, mode)};
}

inline double valueOf(Half x) {
  return valueOfHalf(x.bits);
}

/// One NaN is as good as another; zeros of different sign are different.
inline bool sameHalf(Half actual, Half expected) {
  return actual == expected || (std::isnan(valueOf(actual)) && std::isnan(valueOf(expected)));
}

/// The error of a result in units in the last place, counted as ulpError does for float.
inline double halfError(Half actual, double exact) {
  constexpr double wrong = std::numeric_limits<double>::infinity();
  const double found = valueOf(actual);
  if (std::isnan(exact) || std::isnan(found))
    return std::isnan(exact) && std::isnan(found) ? 0 : wrong;
  if (std::isinf(exact) || exact == 0)
    return found == exact && std::signbit(found) == std::signbit(exact) ? 0 : wrong;
  constexpr double beyond = 0x1p16;
  const double wanted = std::fabs(exact) > beyond ? std::copysign(beyond, exact) : exact;
  const int exponent = std::clamp(std::ilogb(wanted), -14, 15);
  return std::fabs((std::isinf(found) ? std::copysign(beyond, found) : found) - wanted) /
         std::ldexp(1.0, exponent - 10);
}

} // namespace quern::builtins
