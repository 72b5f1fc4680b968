// global 16 local 16 args buffer:64 buffer:64
kernel void copy_without_wait(global const int* in, global int* out) {
  local int t[16];
  t[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  async_work_group_copy(t, in, 16, 0);  // fault: unawaited-copy
  out[get_global_id(0)] = 1;
}
