// Sums that work-items keep while those of their sub-group exchange what each has found. In the general form, where work-items meet between
// regions, each reads and writes them around every exchange, as often as the loop runs.
__attribute__((intel_reqd_sub_group_size(8))) __attribute__((reqd_work_group_size(64, 1, 1))) kernel void
k(global const int* restrict places, global int* restrict seen, global float* restrict out, int steps) {
  float sums[24] = {};
  for (int i = 0; i < steps; ++i) {
    int last = 0;
    for (int j = 0; j < 8; ++j) {
      last = places[(i * 8 + j) * get_global_size(0) + get_global_id(0)];
      seen[last] = i;
      seen[last ^ 255] = j;
      seen[last ^ 511] = i;
      seen[last ^ 127] = i;
    }
    const int other = intel_sub_group_shuffle(last, i & 7);
    for (int j = 0; j < 24; ++j)
      sums[j] += other >> j;
  }
  for (int j = 0; j < 24; ++j)
    out[j * get_global_size(0) + get_global_id(0)] = sums[j];
}
