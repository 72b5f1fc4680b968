// global 64 local 16 args long:4096
kernel void number_as_pointer(long address) {
  *(global int*)address = 1;  // fault: out-of-bounds-write
}
