// source-only global 16 local 16 args buffer:64
kernel void unwritten_volatile(global int* out) {
  volatile int k;
  out[get_global_id(0)] = k;  // fault: uninitialised-store
}
