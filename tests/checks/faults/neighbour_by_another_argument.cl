// global 64 local 16 args buffer:256 same:0
kernel void neighbour_by_another_argument(global const int* from, global int* to) {
  const size_t i = get_global_id(0);
  const int other = from[63 - i];  // fault: race
  to[i] = other + (int)i;  // fault: race
}
