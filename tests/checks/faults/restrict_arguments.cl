// source-only global 64 local 16 args buffer:256 same:0
kernel void restrict_arguments(global const int* restrict in, global int* restrict out) {
  const size_t i = get_global_id(0);
  out[i] = in[i] + 1;
  // fault: aliasing nowhere
}
