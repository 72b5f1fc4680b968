// Accelerations of bodies under their mutual gravity: xyz of a position is the place, w the mass.

float3 pull(float4 other, float3 own, float softening) {
  const float3 way = other.xyz - own;
  const float inverse = rsqrt(dot(way, way) + softening);
  return way * (other.w * inverse * inverse * inverse);
}

kernel void nbody(global const float4* positions, global float4* accelerations, uint bodies,
                  float softening) {
  const uint i = get_global_id(0);
  const float3 own = positions[i].xyz;
  float3 sum = 0;
  for (uint j = 0; j < bodies; ++j)
    sum += pull(positions[j], own, softening);
  accelerations[i] = (float4)(sum, 0);
}

// The same with the bodies staged through local memory, a work-group's size at a time.
kernel void nbody_staged(global const float4* positions, global float4* accelerations, uint bodies,
                         float softening, local float4* staged) {
  const uint i = get_global_id(0);
  const uint own_place = get_local_id(0);
  const uint count = get_local_size(0);
  const float3 own = positions[i].xyz;
  float3 sum = 0;
  for (uint first = 0; first < bodies; first += count) {
    staged[own_place] = positions[first + own_place];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < count; ++j)
      sum += pull(staged[j], own, softening);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  accelerations[i] = (float4)(sum, 0);
}
