// global 128 local 16 args buffer:256 int:64
kernel void guarded(global int* out, int n) {
  const size_t i = get_global_id(0);
  if (i < n)
    out[i] = 1;
}
