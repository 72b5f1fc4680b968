// c[i] = a[i] op b[i] for i < count. The global size may be rounded up to a multiple of the
// work-group size, so every work-item first checks that its element exists. The vec4 kernels do the
// same with four elements per work-item.

#define ELEMENTWISE(name, type, op)                                                                \
  kernel void name(global const type* a, global const type* b, global type* c, uint count) {       \
    size_t i = get_global_id(0);                                                                   \
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
