// A recursive (IIR) filter with 16 + 16 taps,
//
//   y[n] = sum over i of a[i] x[n-i]  -  sum over j of b[j] y[n-j-1]
//
// where samples before the first count as 0.
//
// Output n needs the outputs before it, which is no work for many work-items at once. Iterating is:
// each pass computes all outputs from those of the pass before. For a filter whose |b| add up to
// less than 1 this converges to y.

#define TAPS 16

kernel void iir_pass(global const float* x, global const float* previous, global float* y,
                     constant float* a, constant float* b, uint count) {
  int n = get_global_id(0);
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
