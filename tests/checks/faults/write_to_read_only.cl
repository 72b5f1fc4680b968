// global 64 local 16 args read-only:256
kernel void write_to_read_only(global int* in) {
  in[get_global_id(0)] = 1;  // fault: write-to-read-only
}
