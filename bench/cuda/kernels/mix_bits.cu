#include "common.cuh"

KERNEL mix_bits(const uint* in, uint* out, uint rounds) {
  uint x = in[globalId()];
  for (uint round = 0; round < rounds; ++round) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    x = __funnelshift_l(x, x, 7) + 0x9e3779b9u;
  }
  out[globalId()] = x;
}
