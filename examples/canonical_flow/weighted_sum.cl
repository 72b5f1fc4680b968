// sums[i] = weights[i] * xs[i] + ys[i]. The bounds check lets the global size be rounded up.

kernel void weighted_sum(global const float* xs, global const float* ys,
                         global const float* weights, global float* sums, uint count) {
  size_t i = get_global_id(0);
  if (i < count)
    sums[i] = weights[i] * xs[i] + ys[i];
}
