// Instructions of NVIDIA's GPUs, for every width. The compiler puts them in the place of the
// functions declared here (compiler/target/nvptx/hardware_functions.h).
#pragma once

#include "lanes.h"

// 2^x to 2^-22 of the result, and 0 where that is subnormal.
float __quern_nvptx_exp2(float x);
// 1 / x within one unit in the last place; subnormal numbers are taken and given as zero.
float __quern_nvptx_reciprocal(float x);
// 1 / x to 2^-19 of the result; subnormal numbers are taken and given as zero.
double __quern_nvptx_wide_reciprocal(double x);
// x cut to 0 ... 1; 0 for NaN.
float __quern_nvptx_saturate(float x);

// The threads of the warp that are here together, and those below this one, a bit for each.
uint __quern_nvptx_active_mask(void);
__attribute__((const)) uint __quern_nvptx_lanes_below(void);
// Of the threads in `mask`, which all are here or will come: those for which `is_so`, and the value
// that the thread `lane` has. `last_lane` is 31.
uint __quern_nvptx_ballot(uint mask, bool is_so);
uint __quern_nvptx_shuffle(uint mask, uint value, uint lane, uint last_lane);
// Those in `mask` wait for one another; what one of them had read or written before, it has for all
// of them afterwards. The two above order no memory.
void __quern_nvptx_warp_barrier(uint mask);
// Waits for up to twice as long.
void __quern_nvptx_sleep(uint nanoseconds);

static inline BUILTIN float raw_exp2(float x) {
  return __quern_nvptx_exp2(x);
}
static inline BUILTIN float raw_reciprocal(float x) {
  return __quern_nvptx_reciprocal(x);
}
static inline BUILTIN double raw_reciprocal(double x) {
  return __quern_nvptx_wide_reciprocal(x);
}
static inline BUILTIN float saturated(float x) {
  return __quern_nvptx_saturate(x);
}

EACH_VECTOR(ON_ELEMENTS, float, raw_exp2)
EACH_VECTOR(ON_ELEMENTS, float, raw_reciprocal)
EACH_VECTOR(ON_ELEMENTS, double, raw_reciprocal)
EACH_VECTOR(ON_ELEMENTS, float, saturated)

// 1 / x of a normal number, of which it is one, to the last bits of double: with e = 1 - x y for
// the instruction's y, 1 / x = y (1 + e + e^2 ...).
#define REFINED(N, ...)                                                                            \
  static inline BUILTIN double##N refined_reciprocal(double##N x) {                                \
    double##N y = raw_reciprocal(x);                                                               \
    double##N e = __builtin_elementwise_fma(-x, y, (double##N)1.0);                                \
    return __builtin_elementwise_fma(y, __builtin_elementwise_fma(e, e, e), y);                    \
  }
EACH_WIDTH(REFINED)
#undef REFINED
