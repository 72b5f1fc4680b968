// What a device can do at best: independent multiply-adds in registers, and a triad of arrays.

// Enough independent chains to hide how long one multiply-add takes.
kernel void multiply_add(global float* sums, float factor, uint steps) {
  size_t i = get_global_id(0);
  float a = i, b = a + 1, c = a + 2, d = a + 3, e = a + 4, f = a + 5, g = a + 6, h = a + 7;
  float summand = 1 - factor;
  for (uint step = 0; step < steps; ++step) {
    a = fma(a, factor, summand);
    b = fma(b, factor, summand);
    c = fma(c, factor, summand);
    d = fma(d, factor, summand);
    e = fma(e, factor, summand);
    f = fma(f, factor, summand);
    g = fma(g, factor, summand);
    h = fma(h, factor, summand);
  }
  sums[i] = a + b + c + d + e + f + g + h;
}

// `passes` times over all elements. The arrays may overlap for all that the compiler knows, so each pass happens.
kernel void triad(global float4* a, global float4* b, global float4* c, float s, uint count,
                  uint passes) {
  for (uint pass = 0; pass < passes; ++pass)
    for (size_t i = get_global_id(0); i < count; i += get_global_size(0))
      a[i] = b[i] + s * c[i];
}
