// global 64 local 16 args buffer:256
kernel void reader_of_many_writes(global int* out) {
  local int tile[16];
  const size_t item = get_local_id(0);
  tile[item] = (int)item;
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int i = 0; i < 16; ++i)
    sum += tile[i]; // fault: race
  if (item == 15)
    tile[3] = sum; // fault: race
  out[get_global_id(0)] = sum;
}
