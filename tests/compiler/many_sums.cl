// More sums than there are registers.
kernel void sums(global const float* in, global float* out, int n) {
  float s[64];
  for (int j = 0; j < 64; ++j)
    s[j] = 0;
  int x = get_global_id(0);
  for (int i = 0; i < n; ++i) {
    float f = in[i] * x;
    for (int j = 0; j < 64; ++j)
      s[j] = fma(f, in[j], s[j]);
  }
  float all = 0;
  for (int j = 0; j < 64; ++j)
    all = all * 3 + s[j];
  out[x] = all;
}
