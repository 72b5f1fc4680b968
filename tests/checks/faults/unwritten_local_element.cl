// global 64 local 16 args buffer:256
kernel void unwritten_local_element(global int* out) {
  local int t[16];
  const size_t l = get_local_id(0);
  if (l != 8)
    t[l] = 1;
  out[get_global_id(0)] = t[l];  // fault: uninitialised-store
}
