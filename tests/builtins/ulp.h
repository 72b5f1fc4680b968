// Errors of floating-point results in units in the last place, as the OpenCL C specification counts
// them.
#pragma once

#include <cmath>
#include <limits>

namespace quern::builtins {

/// One unit in the last place of type T at an exact value; subnormal numbers all have the same.
template <typename T> long double ulpAt(long double exact) {
  using Limits = std::numeric_limits<T>;
  int exponent = exact == 0 ? Limits::min_exponent - 1 : std::ilogb(exact);
  exponent = std::max(exponent, Limits::min_exponent - 1);
  return std::ldexp(1.0L, exponent - Limits::digits + 1);
}

/// The error of a result. Overflow counts as the next power of two above the range; a wrong NaN,
/// and a zero or infinity that the exact result is and the actual is not, counts as infinitely
/// wrong, and so does the wrong sign of a zero.
template <typename T> long double ulpError(T actual, long double exact) {
  using Limits = std::numeric_limits<T>;
  constexpr long double wrong = std::numeric_limits<long double>::infinity();
  if (std::isnan(exact) || std::isnan(actual))
    return std::isnan(exact) && std::isnan(actual) ? 0 : wrong;
  if (std::isinf(exact) || exact == 0)
    return actual == exact && std::signbit(actual) == std::signbit(exact) ? 0 : wrong;
  const long double beyond = std::ldexp(1.0L, Limits::max_exponent);
  long double found = std::isinf(actual) ? std::copysign(beyond, static_cast<long double>(actual))
                                         : static_cast<long double>(actual);
  long double wanted = std::fabs(exact) > beyond ? std::copysign(beyond, exact) : exact;
  // At the top of the range the unit is that of the largest number.
  long double unit =
      ulpAt<T>(std::fabs(wanted) >= beyond ? static_cast<long double>(Limits::max()) : wanted);
  return std::fabs(found - wanted) / unit;
}

} // namespace quern::builtins
