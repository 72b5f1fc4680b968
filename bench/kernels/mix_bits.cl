// Rounds of xorshift and a rotation: a chain of integer operations that need no memory.

kernel void mix_bits(global const uint* in, global uint* out, uint rounds) {
  uint x = in[get_global_id(0)];
  for (uint round = 0; round < rounds; ++round) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    x = rotate(x, 7u) + 0x9e3779b9u;
  }
  out[get_global_id(0)] = x;
}
