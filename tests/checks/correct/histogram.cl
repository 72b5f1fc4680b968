// global 64 local 16 args buffer:32
kernel void histogram(global int* out) {
  const size_t i = get_global_id(0);
  atomic_inc(&out[i & 7]);
}
