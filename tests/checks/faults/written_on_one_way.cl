// global 64 local 16 args buffer:256
kernel void written_on_one_way(global int* out) {
  const size_t i = get_global_id(0);
  int x;
  if (i & 1)
    x = 3;
  out[i] = x;  // fault: uninitialised-store
}
