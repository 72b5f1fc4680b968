// global 64 local 16 args buffer:512 buffer:256
kernel void pointer_into_results(global ulong* pointers, global int* out) {
  const size_t i = get_global_id(0);
  pointers[i] = (ulong)(out + (63 - i));
  global const int* p = (global const int*)pointers[i];
  const int other = *p;  // fault: race
  out[i] = other + (int)i;  // fault: race
}
