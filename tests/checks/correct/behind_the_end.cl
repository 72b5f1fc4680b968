// global 16 local 16 args buffer:64
kernel void behind_the_end(global int* out) {
  int numbers[16];
  for (int k = 0; k < 16; ++k)
    numbers[k] = k;
  const int* end = &numbers[16];
  int sum = 0;
  for (const int* at = numbers; at != end; ++at)
    sum += *at;
  out[get_global_id(0)] = sum + end[-1];
}
