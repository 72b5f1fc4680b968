// global 64 local 16 args unwritten:1024 unwritten:256 unwritten:16 buffer:256
// What was never written is only read where nothing comes of it.
struct padded {
  char a;
  int b;
};
kernel void first_use_of_buffers(global float3* vectors, global int* numbers, global int* counter,
                                 global int* out) {
  const size_t i = get_global_id(0);
  vectors[i] = (float3)(1.0f, 2.0f, 3.0f);
  numbers[i] = 5;
  if (i < 4)
    counter[i] = 0;
  barrier(CLK_GLOBAL_MEM_FENCE);
  const float3 v = vectors[i];
  const int ignored = numbers[get_group_id(0) * 16];
  struct padded p = {1, 2};
  struct padded q = p;
  out[i] = (int)(v.x + v.y + v.z) + numbers[i] + (ignored & 0) + q.a + q.b;
  if (get_local_id(0) < 4 && get_group_id(0) == 0)
    atomic_add(&counter[i], 1);
}
