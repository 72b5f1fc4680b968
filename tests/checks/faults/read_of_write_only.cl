// global 64 local 16 args write-only:256
kernel void read_of_write_only(global int* out) {
  out[get_global_id(0)] += 1;  // fault: read-of-write-only
}
