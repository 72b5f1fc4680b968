// global 64 local 16 args unwritten:256 buffer:256
// Through pointers of which only the kernel knows where they lead.
void put(int* to, int value) { *to = value; }
kernel void pointers_to_both(global int* numbers, global int* out) {
  local int t[16];
  const size_t i = get_global_id(0), l = get_local_id(0);
  int* to = i % 2 ? (int*)&numbers[i] : (int*)&t[l];
  int* other = i % 2 ? (int*)&t[l] : (int*)&numbers[i];
  put(to, 1);
  put(other, 2);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = numbers[i] + t[l];
}
