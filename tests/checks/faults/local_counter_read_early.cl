// global 64 local 16 args buffer:256
kernel void local_counter_read_early(global int* out) {
  local int counter;
  if (get_local_id(0) == 0)
    counter = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&counter, (int)get_local_id(0)); // fault: race
  out[get_global_id(0)] = counter; // fault: race
}
