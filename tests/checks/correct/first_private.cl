// global 64 local 16 args buffer:512
// Behind the barrier the variables of all work-items lie together, and those of the first begin where local memory ends.
struct State {
  ulong count;
  ulong other;
  ulong* p;
};
kernel void first_private(global ulong* out) {
  const size_t g = get_global_id(0);
  struct State s = {1, g, 0};
  s.p = g & 16 ? &s.count : &s.other;
  barrier(CLK_LOCAL_MEM_FENCE);
  s.count += g;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = *s.p;
}
