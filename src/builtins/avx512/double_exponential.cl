// exp, exp2 and exp10 of double for processors with AVX-512, with a table in registers and a short
// polynomial.
#ifndef WIDTH
#include "lanes.h"

#include "sixteenth_powers.h"

#include "each_width.h"
#else

#include "sixteenth_powers.h"

BUILTIN Double __avx512_exp(Double x) {
  return power_of_cut(cut_to(x, -760.0, 720.0), (Double)-0.0);
}

// c[0] * x + c[1] * x^2 + ... + c[5] * x^6
#define SUM_OF_POWERS(x, c0, c1, c2, c3, c4, c5)                                                   \
  (x) *                                                                                            \
      fma(fma(fma((Double)(c5), x, (Double)(c4)), (x) * (x), fma((Double)(c3), x, (Double)(c2))),  \
          (x) * (x), fma((Double)(c1), x, (Double)(c0)))

// Arguments are cut to where the result is 0 or infinity. The errors of the polynomials are below
// 2^-56.
BUILTIN Double __avx512_exp2(Double x) {
  Double cut = cut_to(x, -1100.0, 1030.0);
  Double rounded = cut + ROUNDER, steps = rounded - ROUNDER, rest = cut - steps;
  return scaled_power(steps, rounded,
                      SUM_OF_POWERS(rest, 0.69314718055994684, 0.24022650695910072,
                                    0.055504108652068875, 0.0096181291071534437,
                                    0.001333381906893899, 0.0001540369192165205));
}

BUILTIN Double __avx512_exp10(Double x) {
  Double cut = cut_to(x, -330.0, 310.0);
  Double rounded = fma(cut, (Double)0x1.a934f0979a371p+1, (Double)ROUNDER);
  Double steps = rounded - ROUNDER;
  Double rest = fma(steps, (Double)-0x1.34413509f79ffp-2, cut);
  rest = fma(steps, (Double)0x1.9dc1da994fd21p-59, rest);
  return scaled_power(steps, rounded,
                      SUM_OF_POWERS(rest, 2.3025850929940508, 2.6509490552391992,
                                    2.0346785918259855, 1.1712551488544194, 0.53939348430371425,
                                    0.20699801934739914));
}

#undef fma
#undef ROUNDER
#undef SUM_OF_POWERS
#endif
