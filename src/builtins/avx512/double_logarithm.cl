// log, log2 and log10 of double for processors with AVX-512, without a division: the inverse of a
// number close to that without its exponent, and the logarithm of that number, come from tables
// that fit into two registers each.
#ifndef WIDTH
#include "lanes.h"

// The sixteen intervals that numbers from 45/64 to 45/32 are divided into by the first four bits of
// what their patterns exceed that of 45/64 by. One of them is around 1, and 1 is its number.
#define FIRST_PATTERN 0x3fe6800000000000l

// Of the number of each interval: the inverse.
static constant double inverses[16] = {
    0x1.642c8584fa164p+0, 0x1.555555610c555p+0,
    0x1.47ae14869547bp+0, 0x1.3b13b12f5c314p+0,
    0x1.2f684bda04768p+0, 0x1.2492492492c92p+0,
    0x1.1a7b9611a7b96p+0, 0x1.1111110559911p+0,
    0x1.0842108eed884p+0, 0x1p+0,
    0x1.e1e1e1ca8be1ep-1, 0x1.c71c71d34c71cp-1,
    0x1.af286be13af28p-1, 0x1.999999822999ap-1,
    0x1.8618618602618p-1, 0x1.745d17424e746p-1,
};

// Its logarithms. The numbers are chosen such that these are much closer than their last bits say,
// which counts for those next to 1.
static constant double logarithms[16] = {
    -0x1.522ae051d93d7p-2, -0x1.2696213672b91p-2,
    -0x1.f991c7146037ap-3, -0x1.a93ed37c84de5p-3,
    -0x1.5bf406b4e1fb0p-3, -0x1.1178e82281c7ap-3,
    -0x1.9335e5d594988p-4, -0x1.08598aaa23205p-4,
    -0x1.0415d9ed37c40p-5, 0.0,
    0x1.f0a30d8dcc2a9p-5,  0x1.e2707674ff2eap-4,
    0x1.5ff3069ca13d6p-3,  0x1.c8ff7ceed9a20p-3,
    0x1.1675cabaf420fp-2,  0x1.4618bc2b6e2c2p-2,
};
static constant double logarithms2[16] = {
    -0x1.e7df5fb49d6c8p-2, -0x1.a8ff974ac4933p-2,
    -0x1.6cb0f6bb1fca2p-2, -0x1.32bfee001ef7fp-2,
    -0x1.f5fd8a8fd6aefp-3, -0x1.8a8980ac00dfap-3,
    -0x1.22dadc2ab3496p-3, -0x1.7d60486f6d3fcp-4,
    -0x1.77394e808bcb5p-5, 0.0,
    0x1.663f70cabbce1p-4,  0x1.5c01a3509df87p-3,
    0x1.fbc16af1adeb3p-3,  0x1.49a785115a259p-2,
    0x1.91bba89244c17p-2,  0x1.d6753e111d54dp-2,
};
static constant double logarithms10[16] = {
    -0x1.25ba81f86beb5p-3, -0x1.ffbfc2f8d4e3ep-4,
    -0x1.b721cd569dd24p-4, -0x1.715d0ca141066p-4,
    -0x1.2e3a740b22fd7p-4, -0x1.db11ed7670d39p-5,
    -0x1.5e3966b7e9294p-5, -0x1.cb38fb9c3c034p-6,
    -0x1.c3d085bd100b3p-7, 0.0,
    0x1.af5f9408a2899p-6,  0x1.a30a9d0159047p-5,
    0x1.31b304fcde58ep-4,  0x1.8cf183ee2e2bfp-4,
    0x1.e3bc1ab145f27p-4,  0x1.1b3e71f4f8562p-3,
};

// Numbers that are not positive, finite and normal are left to the other form.
#define RARE(name)                                                                                 \
  BUILTIN_OUT_OF_LINE double name(double x);                                                       \
  BUILTIN_RARE double __avx512_rare_##name(double x) {                                             \
    return name(x);                                                                                \
  }                                                                                                \
  static inline BUILTIN double rare_##name(double x) {                                             \
    return __avx512_rare_##name(x);                                                                \
  }                                                                                                \
  EACH_VECTOR(ON_ELEMENTS, double, rare_##name)
RARE(log)
RARE(log2)
RARE(log10)
#undef RARE

#include "each_width.h"
#else

#define fma __builtin_elementwise_fma

// With x = 2^exponent * number * (1 + rest), the logarithm is exponent * log(2) + that of the
// number
// + log(1 + rest).
static inline BUILTIN Double split(Double x, private Double* exponent, private Long* interval) {
  Long steps = bits_of(x) - FIRST_PATTERN;
  *interval = (steps >> 48) & 15;
  *exponent = to_double(steps >> 52);
  Double fraction = number_of((steps & 0xfffffffffffffl) + FIRST_PATTERN);
  return fma(fraction, looked_up(inverses, *interval), (Double)-1.0);
}

// c0 + c1 * x + ... + c7 * x^7. The errors of the polynomials are below 2^-56 of the logarithm.
#define POLYNOMIAL(x, square, c0, c1, c2, c3, c4, c5, c6, c7)                                      \
  fma(fma(fma(fma((Double)(c7), x, (Double)(c6)), square, fma((Double)(c5), x, (Double)(c4))),     \
          square, fma((Double)(c3), x, (Double)(c2))),                                             \
      square, fma((Double)(c1), x, (Double)(c0)))

#define LOGARITHM(name, LOGARITHM_OF_2, table, last)                                               \
  BUILTIN Double __avx512_##name(Double x) {                                                       \
  private                                                                                          \
    Double exponent;                                                                               \
  private                                                                                          \
    Long interval;                                                                                 \
    Double rest = split(x, &exponent, &interval), square = rest * rest;                            \
    Double whole = fma(exponent, (Double)(LOGARITHM_OF_2), looked_up(table, interval));            \
    Double result = last;                                                                          \
    if (UNLIKELY(any_lane(!is_positive_normal(x))))                                                \
      result = is_positive_normal(x) ? result : rare_##name(x);                                    \
    return result;                                                                                 \
  }
LOGARITHM(log, 0x1.62e42fefa39efp-1, logarithms,
          whole + fma(POLYNOMIAL(rest, square, -0.49999999999999684, 0.33333333333333165,
                                 -0.25000000004335549, 0.20000000002742718, -0.16666650640641023,
                                 0.14285702656959789, -0.1252193572303501, 0.11129043039873183),
                      square, rest))
LOGARITHM(log2, 1.0, logarithms2,
          fma(fma(POLYNOMIAL(rest, square, -0.72134752044447825, 0.48089834696312239,
                             -0.36067376027313386, 0.28853900731797838, -0.24044897271193291,
                             0.20610096178655732, -0.18063124396058519, 0.15940719939415948),
                  rest, (Double)1.4426950408889634),
              rest, whole))
LOGARITHM(log10, 0x1.34413509f79ffp-2, logarithms10,
          fma(fma(POLYNOMIAL(rest, square, -0.21714724095162485, 0.14476482730112447,
                             -0.10857362049113327, 0.086858896121820475, -0.072382353212881903,
                             0.062042571632949704, -0.054375422586234491, 0.047986348542431209),
                  rest, (Double)0.43429448190325182),
              rest, whole))

#undef POLYNOMIAL
#undef LOGARITHM
#undef fma
#endif
