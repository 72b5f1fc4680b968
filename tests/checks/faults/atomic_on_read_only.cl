// global 64 local 16 args read-only:256
kernel void atomic_on_read_only(global int* in) {
  atomic_add(&in[0], 1);  // fault: write-to-read-only
}
