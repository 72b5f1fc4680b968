// A picture turned and shrunk, every element a weighted average of nine: with what the sampler makes of
// places between the elements and beyond the picture's edges.

// One place for each element of the result: turned by atan(1/3) and 1.58 times as far apart, about the
// middle of the picture. All places are odd multiples of a quarter, so that every device finds the same
// nearest element.
float2 placeOf(int2 at, float2 size) {
  float2 from = convert_float2(at) - size / 2;
  return (float2)(1.5f * from.x - 0.5f * from.y, 1.5f * from.y + 0.5f * from.x) + size / 2 + 0.25f;
}

kernel void filter(read_only image2d_t picture, sampler_t sampler, write_only image2d_t result) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float2 size = convert_float2(get_image_dim(picture));
  float2 place = placeOf(at, size);
  float4 sum = 0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) {
      float weight = (2 - abs(x)) * (2 - abs(y)) / 16.0f;
      sum += weight * read_imagef(picture, sampler, (place + (float2)(x, y)) / size);
    }
  write_imagef(result, at, sum);
}
