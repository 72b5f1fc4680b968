// global 64 local 16 args buffer:256
constant int table[4] = {1, 2, 3, 4};
kernel void constant_table(global int* out) {
  const size_t i = get_global_id(0);
  out[i] = table[i & 7];  // fault: out-of-bounds-read
}
