// Mathematical functions in long double, for what the C library lacks or defines differently from
// OpenCL C.
#pragma once

#include <cmath>
#include <limits>

namespace quern::builtins {

constexpr long double pi = 3.141592653589793238462643383279502884L;
constexpr long double notANumber = std::numeric_limits<long double>::quiet_NaN();

/// sin(pi * x): the argument is reduced exactly, to at most a quarter, before pi comes in.
inline long double sinPi(long double x) {
  if (!std::isfinite(x))
    return notANumber;
  long double whole = std::round(2 * x) / 2, rest = x - whole;
  int quarter = static_cast<int>(std::fmod(2 * whole, 4.0L));
  quarter = quarter < 0 ? quarter + 4 : quarter;
  long double result = quarter == 0   ? std::sin(pi * rest)
                       : quarter == 1 ? std::cos(pi * rest)
                       : quarter == 2 ? -std::sin(pi * rest)
                                      : -std::cos(pi * rest);
  return result == 0 ? std::copysign(0.0L, x) : result;
}

inline long double cosPi(long double x) {
  if (!std::isfinite(x))
    return notANumber;
  long double result = sinPi(std::fmod(std::fabs(x), 2.0L) + 0.5L);
  return result == 0 ? 0.0L : result;
}

inline long double tanPi(long double x) {
  if (!std::isfinite(x))
    return notANumber;
  long double reduced = std::fmod(x, 2.0L), sine = sinPi(reduced), cosine = cosPi(reduced);
  if (sine == 0)
    return std::copysign(0.0L, std::fmod(x, 2.0L) == 0 ? x : -x);
  if (cosine == 0)
    return std::copysign(std::numeric_limits<long double>::infinity(), sine);
  return sine / cosine;
}

inline long double power(long double x, long double y) {
  // All exponents of this size are even, which the C library overlooks for one of them.
  return std::fabs(y) >= 0x1p62L && !std::isnan(x) ? std::pow(std::fabs(x), y) : std::pow(x, y);
}

inline long double powNatural(long double x, long double y) {
  if (x < 0 || std::isnan(x) || std::isnan(y))
    return notANumber;
  if ((x == 0 && y == 0) || (std::isinf(x) && y == 0) || (x == 1 && std::isinf(y)))
    return notANumber;
  return std::pow(std::fabs(x), y);
}

inline long double root(long double x, int n) {
  if (n == 0 || (x < 0 && n % 2 == 0))
    return notANumber;
  if (x == 0)
    return n % 2 == 0
               ? (n < 0 ? std::numeric_limits<long double>::infinity() : 0.0L)
               : (n < 0 ? std::copysign(std::numeric_limits<long double>::infinity(), x) : x);
  return std::copysign(std::pow(std::fabs(x), 1.0L / n), x);
}

} // namespace quern::builtins
