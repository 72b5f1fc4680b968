#include "common.cuh"

#define TAPS 16

KERNEL iir_pass(const float* x, const float* previous, float* y, const float* __restrict__ a,
                const float* __restrict__ b, uint count) {
  int n = globalId();
  if (n >= (int)count)
    return;
  float sum = 0;
  for (int i = 0; i < TAPS; ++i)
    if (n - i >= 0)
      sum += a[i] * x[n - i];
  for (int j = 0; j < TAPS; ++j)
    if (n - j - 1 >= 0)
      sum -= b[j] * previous[n - j - 1];
  y[n] = sum;
}
