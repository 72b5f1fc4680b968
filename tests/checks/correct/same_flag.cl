// global 64 local 16 args buffer:4
kernel void same_flag(global int* out) {
  out[0] = 1;
}
