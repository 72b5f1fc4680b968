// global 64 local 16 args buffer:512 buffer:64 buffer:256 buffer:256
kernel void pointers_in_turn(global ulong* pointers, global const int* small, global const int* large, global int* out) {
  const size_t i = get_global_id(0);
  pointers[i] = (i & 1) ? (ulong)(small + 16) : (ulong)(large + i);
  global const int* p = (global const int*)pointers[i];
  out[i] = *p;  // fault: out-of-bounds-read
}
