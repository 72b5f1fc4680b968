// Fewer work-items run what lies within several conditions, for which one after the other has to foretell each: two kernels of which the
// second one reads four times as often, at a price of less than twice. Limits of loops that are made of ids do not tell neighbours apart.
#define READ(x) (x) = table[((x) * 7919 + 13) & 4095]

kernel void once(global const uint* in, global const uint* table, global uint* out) {
  uint x = in[get_global_id(0)], y = x;
  for (int i = 0; i < 64; ++i) {
    y += x >> i % 8;
    if (x & 1) {
      READ(x);
      y ^= x * 3 + i;
    }
  }
  out[get_global_id(0)] = x + y;
}

kernel void nested(global const uint* in, global const uint* table, global uint* out) {
  uint x = in[get_global_id(0)], y = x;
  for (int i = 0; i < 64; ++i) {
    ++x;
    if (x & 1) {
      y += x >> 3;
      if (x & 2) {
        READ(x);
        y ^= x;
        if (y & 4) {
          READ(y);
          y += 5;
          if (y & 32) {
            READ(y);
            READ(x);
            y ^= x * 3;
          }
        }
      }
    }
  }
  out[get_global_id(0)] = x + y;
}

kernel void triangle(global const float* in, global float* out, int n) {
  const int x = get_global_id(0);
  if (x < n)
    for (int y = x; y < n; ++y) {
      out[x * n + y] = 0;
      for (int i = 0; i < n; ++i)
        out[x * n + y] += in[i * n + x] * in[i * n + y];
      out[y * n + x] = out[x * n + y];
    }
}
