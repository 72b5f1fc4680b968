// The sum, least or greatest of n elements: VALUE, in which COMBINE computes, holds every ELEMENT.
// The range is cut into parts by its length alone, and their results are combined in their order,
// so that the answer does not depend on who computed what.
#include "one_launch.h"

#ifndef QUERN_REDUCE_CL
#define QUERN_REDUCE_CL
#define REDUCE_ITEMS 256
#define MOST_PARTS 4096 // scratch has place for the results of so many
#define LEAST_PART 8192
#endif

#define VECTOR JOIN(VALUE, LANES)
#define VECTOR_AT(p) JOIN(convert_, VECTOR)(JOIN(vload, LANES)(0, p))

#ifdef ON_GPU

#define REDUCE_PART(name, TYPE)                                                                    \
  VALUE name(global const TYPE* in, ulong count, ulong stride, local VALUE* values) {              \
    const uint me = get_local_id(0);                                                               \
    VALUE result = IDENTITY;                                                                       \
    _Pragma("unroll 8") for (ulong i = me; i < count; i += REDUCE_ITEMS) {                         \
      const VALUE value = in[i * stride];                                                          \
      result = COMBINE(result, value);                                                             \
    }                                                                                              \
    for (uint items = REDUCE_ITEMS / 2; items > 0; items /= 2) {                                   \
      values[me] = result;                                                                         \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                \
      result = COMBINE(result, values[(me + items) % REDUCE_ITEMS]);                               \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                \
    }                                                                                              \
    return result;                                                                                 \
  }

#else

#define REDUCE_PART(name, TYPE)                                                                    \
  VALUE name(global const TYPE* in, ulong count, ulong stride, local VALUE* values) {              \
    VECTOR results[4] = {IDENTITY, IDENTITY, IDENTITY, IDENTITY};                                  \
    ulong i = 0;                                                                                   \
    if (stride == 1)                                                                               \
      for (; i + 4 * LANES <= count; i += 4 * LANES)                                               \
        _Pragma("unroll") for (uint j = 0; j < 4; ++j) {                                           \
          const VECTOR value = VECTOR_AT(in + i + j * LANES);                                      \
          results[j] = COMBINE(results[j], value);                                                 \
        }                                                                                          \
    results[0] = COMBINE(results[0], results[1]);                                                  \
    results[2] = COMBINE(results[2], results[3]);                                                  \
    const union {                                                                                  \
      VECTOR vector;                                                                               \
      VALUE lanes[LANES];                                                                          \
    } all = {.vector = COMBINE(results[0], results[2])};                                           \
    VALUE result = IDENTITY;                                                                       \
    for (uint j = 0; j < LANES; ++j)                                                               \
      result = COMBINE(result, all.lanes[j]);                                                      \
    for (; i < count; ++i) {                                                                       \
      const VALUE value = in[i * stride];                                                          \
      result = COMBINE(result, value);                                                             \
    }                                                                                              \
    return result;                                                                                 \
  }

#endif

REDUCE_PART(JOIN(NAME, _elements), ELEMENT)
REDUCE_PART(JOIN(NAME, _values), VALUE)

kernel GROUP(REDUCE_ITEMS) void NAME(ulong n, global const ELEMENT* in, ulong in_offset,
                                     ulong in_stride, global ELEMENT* out, ulong out_offset,
                                     global void* scratch) {
  local uint shared;
  local VALUE values[REDUCE_ITEMS];
  global struct schedule* schedule = scratch;
  global VALUE* results = (global VALUE*)((global char*)scratch + ZERO_BYTES);
  const ulong part = max((n + MOST_PARTS - 1) / MOST_PARTS, (ulong)LEAST_PART);
  const uint parts = (n + part - 1) / part;
  for (uint i; (i = take_ticket(schedule, &shared)) < parts;) {
    const ulong begin = i * part;
    const VALUE result = JOIN(NAME, _elements)(in + in_offset + begin * in_stride,
                                               min(part, n - begin), in_stride, values);
    if (get_local_id(0) == 0)
      results[i] = result;
  }
  if (!leave_last(schedule, &shared))
    return;
  const VALUE result = JOIN(NAME, _values)(results, parts, 1, values);
  if (get_local_id(0) == 0)
    out[out_offset] = result;
}

#undef VECTOR
#undef VECTOR_AT
#undef REDUCE_PART
