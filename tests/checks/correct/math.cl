// global 64 local 16 args buffer:256 buffer:256
kernel void math(global const float* in, global float* out) {
  const size_t i = get_global_id(0);
  float c;
  const float s = sincos(in[i] + (float)i, &c);
  out[i] = s * c + pow(1.5f, (float)i) + log(1 + (float)i) + fract((float)i, &c);
}
