// global 16 local 16 args buffer:4
kernel void written_and_exchanged(global int* sum) {
  if (get_global_id(0) == 0)
    *sum = 0;  // fault: race
  atomic_add(sum, 1);  // fault: race
}
