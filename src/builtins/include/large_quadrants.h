// The quadrants in a large number of double (Payne and Hanek, "Radian reduction for trigonometric
// functions", 1983): only those bits of 2 / pi are multiplied that leave something below a multiple
// of 4.
#pragma once

#include "lanes.h"

#define LEAST_LARGE 0x1p20

BUILTIN ulong mul_hi(ulong x, ulong y);

// The bits of 2 / pi behind the point, after 64 zeros.
static constant ulong bits_of_2_over_pi[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
    0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
    0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
};

// The rest of |x| / (pi / 2), from -1/2 to 1/2 and times pi / 2, with the sign of x, and the
// quadrant in the two lowest bits, for |x| >= LEAST_LARGE; NaN for the infinite.
static inline BUILTIN double rest_of_large(double x, private long* quadrant) {
  long bits = bits_of(x);
  // |x| = number * 2^(exponent - 1075). The bit of 2 / pi that is multiplied with a 2 comes first.
  int exponent = (bits >> 52) & 0x7ff, first = exponent - 1013;
  ulong number = (bits & 0xfffffffffffff) | 0x10000000000000;
  constant ulong* word = bits_of_2_over_pi + (first >> 6);
  int shift = first & 63;
  ulong high = __builtin_elementwise_fshl(word[0], word[1], (ulong)shift);
  ulong middle = __builtin_elementwise_fshl(word[1], word[2], (ulong)shift);
  ulong low = __builtin_elementwise_fshl(word[2], word[3], (ulong)shift);
  // The 128 bits below 4 of the product.
  ulong below = middle * number, carried = mul_hi(low, number);
  below += carried;
  ulong above = high * number + mul_hi(middle, number) + (below < carried);
  long count = (above + 0x2000000000000000) >> 62;
  above = above << 2 | below >> 62;
  below <<= 2;
  bool is_negative = (long)above < 0;
  above = is_negative ? ~above : above;
  below = is_negative ? -below : below;
  above += is_negative && below == 0;
  // In two parts, of which the first is exact.
  double head = (double)(above & ~0x7ff) * 0x1p-64;
  double tail = (double)(above & 0x7ff) * 0x1p-64 + (double)below * 0x1p-128;
  double rest = __builtin_elementwise_fma(
      head, 0x1.921fb54442d18p+0,
      __builtin_elementwise_fma(head, 0x1.1a62633145c07p-54, tail * 0x1.921fb54442d18p+0));
  *quadrant = bits < 0 ? -count : count;
  rest = is_negative != (bits < 0) ? -rest : rest;
  return exponent < 0x7ff ? rest : x - x;
}

#define EACH_ELEMENT(N, ...)                                                                       \
  static inline BUILTIN double##N rest_of_large(double##N x, private long##N* quadrant) {          \
    double##N rest;                                                                                \
    for (int i = 0; i < N; ++i) {                                                                  \
      long count;                                                                                  \
      rest[i] = rest_of_large(x[i], &count);                                                       \
      (*quadrant)[i] = count;                                                                      \
    }                                                                                              \
    return rest;                                                                                   \
  }
EACH_VECTOR(EACH_ELEMENT)
#undef EACH_ELEMENT
