// tgamma, lgamma and lgamma_r. For small arguments the recurrence leads to the interval from 1 to
// 2, where the reciprocal is a polynomial; for larger ones Stirling's formula is used, and for
// negative ones the reflection formula. Float's functions are computed in double.
#include "floating.h"

// The coefficients of two polynomials, the highest first: 1 / gamma(z + 3/2) for |z| <= 1/2, and
// Stirling's series, gamma(x) / (sqrt(2 pi) * x^(x - 1/2) * exp(-x)) with z = 1/x, for x >= 12.
#define RECIPROCAL(TERM)                                                                           \
  TERM(1.683071093897393825e-8)                                                                    \
  TERM(-9.002261834603834041e-8) TERM(5.805407325495559603e-8) TERM(2.156557782927052648e-6)       \
      TERM(-1.389682935406086453e-5) TERM(2.535513053917553691e-5) TERM(1.523576235415766387e-4)   \
          TERM(-1.110730245918119086e-3) TERM(2.120731442396241768e-3)                             \
              TERM(6.612897826273515247e-3) TERM(-4.215516936853007619e-2)                         \
                  TERM(5.096686024772325454e-2) TERM(1.751020260439344957e-1)                      \
                      TERM(-5.266544355255446836e-1) TERM(-4.117452644528310132e-2)                \
                          TERM(1.128379167095512574)
#define SERIES(TERM)                                                                               \
  TERM(2.596133549880564492e-4)                                                                    \
  TERM(-6.424816969455655221e-4) TERM(7.426893940192048161e-5) TERM(7.837913475299959251e-4)       \
      TERM(-2.294637421651207727e-4) TERM(-2.681327331102553672e-3) TERM(3.472222224218848122e-3)  \
          TERM(8.333333333332145137e-2) TERM(1.0)
#define NEXT_TERM(coefficient) sum = sum * z + (coefficient);

#define PI 3.141592653589793238
#define ROOT_OF_2_PI 2.506628274631000502
#define LOG_OF_ROOT_OF_2_PI 0.918938533204672742

#define GAMMA(N, ...)                                                                              \
  BUILTIN_OUT_OF_LINE double##N pow(double##N x, double##N y);                                     \
  BUILTIN_OUT_OF_LINE double##N exp(double##N x);                                                  \
  BUILTIN_OUT_OF_LINE double##N log(double##N x);                                                  \
  BUILTIN_OUT_OF_LINE double##N sinpi(double##N x);                                                \
  static inline BUILTIN double##N gamma_below_12(double##N size) {                                 \
    double##N above_one = size < 1.0 ? size + 1.0 : size, product = 1.0;                           \
    for (int i = 0; i < 10; ++i) {                                                                 \
      double##N below = above_one - 1.0;                                                           \
      long##N goes_on = below >= 1.0;                                                              \
      product = goes_on ? product * below : product;                                               \
      above_one = goes_on ? below : above_one;                                                     \
    }                                                                                              \
    double##N sum = 0.0, z = above_one - 1.5;                                                      \
    RECIPROCAL(NEXT_TERM)                                                                          \
    double##N result = product / sum;                                                              \
    return size < 1.0 ? result / size : result;                                                    \
  }                                                                                                \
  static inline BUILTIN double##N stirling_series(double##N size) {                                \
    double##N sum = 0.0, z = 1.0 / size;                                                           \
    SERIES(NEXT_TERM)                                                                              \
    return sum;                                                                                    \
  }                                                                                                \
  /* gamma(size) is the product of a factor and the square of a power, of moderate size where it   \
   * is far outside the range. */                                                                  \
  BUILTIN_OUT_OF_LINE double##N tgamma(double##N x) {                                              \
    double##N size = __builtin_elementwise_abs(x);                                                 \
    /* Beyond this, every result is infinite or zero. */                                           \
    size = size > 190.0 ? (double##N)190.0 : size;                                                 \
    long##N is_small = size < 12.0;                                                                \
    double##N power = is_small ? (double##N)1.0 : pow(size, 0.5 * size - 0.25);                    \
    double##N factor =                                                                             \
        is_small ? gamma_below_12(size) : ROOT_OF_2_PI * exp(-size) * stirling_series(size);       \
    double##N positive = factor * power * power;                                                   \
    double##N negative =                                                                           \
        -PI / (size * sinpi(__builtin_elementwise_abs(x))) / factor / power / power;               \
    double##N result = x < 0.0 ? negative : positive;                                              \
    result = __builtin_elementwise_abs(x) < 0x1p-60 ? 1.0 / x : result;                            \
    return x < 0.0 && x == __builtin_elementwise_floor(x) ? (double##N)NAN : result;               \
  }                                                                                                \
  BUILTIN_OUT_OF_LINE double##N lgamma(double##N x) {                                              \
    double##N size = __builtin_elementwise_abs(x);                                                 \
    double##N large = (size - 0.5) * (log(size) - 1.0) + (LOG_OF_ROOT_OF_2_PI - 0.5) +             \
                      log(stirling_series(size));                                                  \
    double##N positive = size < 12.0 ? log(gamma_below_12(size)) : large;                          \
    double##N negative = log(PI / __builtin_elementwise_abs(size * sinpi(size))) - positive;       \
    double##N result = x < 0.0 ? negative : positive;                                              \
    result = size < 0x1p-60 ? -log(size) : result;                                                 \
    return x <= 0.0 && x == __builtin_elementwise_floor(x) ? (double##N)INFINITY : result;         \
  }                                                                                                \
  BUILTIN float##N tgamma(float##N x) {                                                            \
    return CONVERT(N, float, tgamma(CONVERT(N, double, x)));                                       \
  }                                                                                                \
  BUILTIN float##N lgamma(float##N x) {                                                            \
    return CONVERT(N, float, lgamma(CONVERT(N, double, x)));                                       \
  }
EACH_WIDTH(GAMMA)

// The sign of gamma: that of the parity of the integer below for negative numbers, 0 where gamma
// has no value.
#define SIGN_OF_GAMMA(N, T, S, U, BITS)                                                            \
  static inline BUILTIN int##N sign_of_gamma(T##N x) {                                             \
    T##N below = __builtin_elementwise_floor(x), half_below = below * (T)0.5;                      \
    S##N sign =                                                                                    \
        x > (T)0 || half_below == __builtin_elementwise_floor(half_below) ? (S##N)1 : (S##N) - 1;  \
    return CONVERT(N, int, (x <= (T)0 && x == below) || x != x ? (S##N)0 : sign);                  \
  }                                                                                                \
  EACH_SPACE(LGAMMA_R, N, T)
#define LGAMMA_R(SPACE, N, T)                                                                      \
  BUILTIN T##N lgamma_r(T##N x, SPACE int##N* sign) {                                              \
    *sign = sign_of_gamma(x);                                                                      \
    return lgamma(x);                                                                              \
  }
EACH_FLOATING(EACH_WIDTH, SIGN_OF_GAMMA)
