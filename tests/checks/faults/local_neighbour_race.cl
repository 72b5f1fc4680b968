// global 64 local 16 args buffer:256
kernel void local_neighbour_race(global int* out) {
  const size_t i = get_global_id(0);
  const size_t l = get_local_id(0);
  local int t[16];
  t[l] = (int)i;  // fault: race
  out[i] = t[(l + 1) & 15];  // fault: race  // fault: uninitialised-store
}
