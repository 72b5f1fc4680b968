// global 8x8 local 4x4 args image:8x8 buffer:1024
kernel void image_read(read_only image2d_t in, global float4* out) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[y * 8 + x] = read_imagef(in, (int2)(x - 1, y));  // fault: out-of-bounds-read
}
