// The height of a water surface under up to 16 drops. The drop at centre c fell at time start[c];
// from it a ring of waves runs outwards. With age = time - start and lag = distance - speed * age,
// its share of the height at a vertex is
//
//   amplitude * exp(-decay * age) * exp(-(lag / width)^2) * cos(wave * lag)
//    size        fades with time     the wave packet         the waves in it
//
// A vertex is x, y, z with z the height.

kernel void ripple(global float* vertices, constant float2* centres, constant float* start,
                   uint drops, float time, float amplitude, float decay, float speed, float width,
                   float wave) {
  size_t i = get_global_id(0);
  float3 vertex = vload3(i, vertices);
  float height = 0;
  for (uint c = 0; c < drops; ++c) {
    float age = time - start[c];
    if (age <= 0)
      continue;
    float lag = distance(vertex.xy, centres[c]) - speed * age;
    float packet = lag / width;
    height += amplitude * exp(-decay * age) * exp(-packet * packet) * cos(wave * lag);
  }
  vertex.z = height;
  vstore3(vertex, i, vertices);
}
