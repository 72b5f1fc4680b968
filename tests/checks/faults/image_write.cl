// global 8x8 local 4x4 args image:8x8
kernel void image_write(write_only image2d_t out) {
  write_imagef(out, (int2)(get_global_id(0), get_global_id(1) + 1), (float4)(1));  // fault: out-of-bounds-write
}
