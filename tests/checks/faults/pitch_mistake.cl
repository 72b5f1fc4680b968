// global 8x8 local 4x4 args buffer:256
kernel void pitch_mistake(global int* out) {
  out[get_global_id(1) * 9 + get_global_id(0)] = 1;  // fault: out-of-bounds-write
}
