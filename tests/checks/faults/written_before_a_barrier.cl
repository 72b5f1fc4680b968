// global 32 local 16 args buffer:4
kernel void written_before_a_barrier(global int* sum) {
  if (get_global_id(0) == 0)
    *sum = 0;  // fault: race
  barrier(CLK_GLOBAL_MEM_FENCE);
  atomic_add(sum, 1);  // fault: race
}
