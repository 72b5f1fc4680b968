// global 16 local 16 args buffer:64
kernel void overwritten_twice(global int* out) {
  local int place;
  if (get_local_id(0) == 0) {
    place = 5; // fault: race
    place = 6; // fault: race
  }
  if (get_local_id(0) == 7)
    place = 5; // fault: race
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = place;
}
