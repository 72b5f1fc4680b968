// global 64 local 16 args buffer:200 int:50
kernel void wrong_guard(global int* out, int n) {
  const size_t i = get_global_id(0);
  if (i <= n)
    out[i] = 1;  // fault: out-of-bounds-write
}
