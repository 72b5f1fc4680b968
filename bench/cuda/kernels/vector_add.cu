#include "common.cuh"

__device__ float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__device__ float4 operator*(float4 a, float4 b) {
  return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
}
__device__ int4 operator+(int4 a, int4 b) {
  return make_int4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__device__ int4 operator*(int4 a, int4 b) {
  return make_int4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
}

#define ELEMENTWISE(name, type, op)                                                                \
  KERNEL name(const type* a, const type* b, type* c, uint count) {                                 \
    uint i = globalId();                                                                           \
    if (i < count)                                                                                 \
      c[i] = a[i] op b[i];                                                                         \
  }

ELEMENTWISE(add_float, float, +)
ELEMENTWISE(multiply_float, float, *)
ELEMENTWISE(add_int, int, +)
ELEMENTWISE(multiply_int, int, *)

ELEMENTWISE(add_float_vec4, float4, +)
ELEMENTWISE(multiply_float_vec4, float4, *)
ELEMENTWISE(add_int_vec4, int4, +)
ELEMENTWISE(multiply_int_vec4, int4, *)
