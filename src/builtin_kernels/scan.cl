// Sums of all elements up to each one, in one pass over memory: a work-group sums its part, adds
// what those before it have published to it, and publishes the sum from the beginning for those
// behind it (Merrill and Garland 2016, "Single-pass parallel prefix scan with decoupled
// look-back").
#include "one_launch.h"

#ifndef QUERN_SCAN_CL
#define QUERN_SCAN_CL
#define SCAN_ITEMS 256
#define STATES_TO_CLEAR 65536 // for each ticket
// What a part has published.
#define NOTHING_YET 0
#define OWN_SUM 1
#define SUM_FROM_BEGIN 2
#endif

#define STATE JOIN(NAME, _state)
#define SUM_BEFORE JOIN(NAME, _sum_before)
#define SCAN_PART JOIN(NAME, _part)

struct STATE {
  global VALUE* own;        // sum of each part
  global VALUE* from_begin; // sum of all up to its end
  global atomic_uint* kind;
};

uint JOIN(NAME, _kind)(struct STATE state, ulong i) {
  return atomic_load_explicit(&state.kind[i], memory_order_acquire, memory_scope_device);
}

void JOIN(NAME, _publish)(struct STATE state, ulong i, uint kind, VALUE sum) {
  if (kind == OWN_SUM)
    state.own[i] = sum;
  else
    state.from_begin[i] = sum;
  atomic_store_explicit(&state.kind[i], kind, memory_order_release, memory_scope_device);
}

#ifdef ON_GPU

#define EACH (64 / sizeof(VALUE))
#define PART (SCAN_ITEMS * EACH)
#define LOCAL_VALUES (SCAN_ITEMS * (EACH + 1))
#define PLACE(i)                                                                                   \
  ((i) + (i) / EACH) // one free place behind each work-item's, against conflicts of banks

// The sum of all parts before part `i`, whose own sum is `own`: a sub-group looks at as many at
// once as it has work-items.
VALUE SUM_BEFORE(struct STATE state, ulong i, VALUE own) {
  const uint lane = get_sub_group_local_id();
  VALUE sum = 0;
  for (long first = (long)i - 1;; first -= get_max_sub_group_size()) {
    // The sub-group waits together, and no branch keeps its work-items apart.
    const bool isThere = first >= lane;
    const ulong other = isThere ? first - lane : 0;
    uint kind;
    do
      kind = JOIN(NAME, _kind)(state, other);
    while (sub_group_any(isThere && kind == NOTHING_YET));
    kind = isThere ? kind : SUM_FROM_BEGIN;
    global const VALUE* sums = kind == OWN_SUM ? state.own : state.from_begin;
    const VALUE value = isThere ? sums[other] : 0;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    const uint complete = sub_group_ballot(kind == SUM_FROM_BEGIN).x;
    const uint last = complete ? ctz(complete) : get_max_sub_group_size();
    sum += sub_group_reduce_add(lane <= last ? value : 0);
    if (complete)
      break;
  }
  if (lane == 0)
    JOIN(NAME, _publish)(state, i, SUM_FROM_BEGIN, sum + own);
  return sum;
}

void SCAN_PART(global const VALUE* in, global VALUE* out, uint count, uint exclusive, ulong i,
               struct STATE state, global struct schedule* schedule, uint clears,
               local VALUE* values) {
  const uint me = get_local_id(0);
  for (uint j = me; j < PART; j += SCAN_ITEMS)
    values[PLACE(j)] = j < count ? in[j] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  VALUE mine[EACH];
  VALUE sum = 0;
  _Pragma("unroll") for (uint j = 0; j < EACH; ++j) {
    mine[j] = values[me * (EACH + 1) + j];
    sum += mine[j];
  }
  VALUE before = work_group_scan_exclusive_add(sum);
  const VALUE own = work_group_broadcast(before + sum, SCAN_ITEMS - 1);
  wait_for_phase(schedule, 0, clears);
  if (me == 0 && i > 0)
    JOIN(NAME, _publish)(state, i, OWN_SUM, own);
  if (get_sub_group_id() == 0) {
    const VALUE earlier = SUM_BEFORE(state, i, own);
    if (me == 0)
      values[LOCAL_VALUES] = earlier;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  before += values[LOCAL_VALUES];
  _Pragma("unroll") for (uint j = 0; j < EACH; ++j) {
    const VALUE with = before + mine[j];
    values[me * (EACH + 1) + j] = exclusive ? before : with;
    before = with;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint j = me; j < count; j += SCAN_ITEMS)
    out[j] = values[PLACE(j)];
  barrier(CLK_LOCAL_MEM_FENCE);
}

#else

#define PART 8192
#define LOCAL_VALUES 0
#define VECTOR JOIN(VALUE, LANES)
#define HALF_VECTOR(n) (JOIN(VALUE, n))0

// A vector whose elements have moved up by so many places.
#if LANES == 16
#define UP1(v) (VECTOR)(0, v.s01234567, v.s89ab, v.scd, v.se)
#define UP2(v) (VECTOR)(0, 0, v.s01234567, v.s89ab, v.scd)
#define UP4(v) (VECTOR)(HALF_VECTOR(4), v.s01234567, v.s89ab)
#define UP8(v) (VECTOR)(HALF_VECTOR(8), v.s01234567)
#define LAST(v) v.sf
#elif LANES == 8
#define UP1(v) (VECTOR)(0, v.s0123, v.s45, v.s6)
#define UP2(v) (VECTOR)(0, 0, v.s0123, v.s45)
#define UP4(v) (VECTOR)(HALF_VECTOR(4), v.s0123)
#define LAST(v) v.s7
#elif LANES == 4
#define UP1(v) (VECTOR)(0, v.s01, v.s2)
#define UP2(v) (VECTOR)(0, 0, v.s01)
#define LAST(v) v.s3
#else
#define UP1(v) (VECTOR)(0, v.s0)
#define LAST(v) v.s1
#endif

VECTOR JOIN(NAME, _vector)(VECTOR v) {
  v += UP1(v);
#if LANES >= 4
  v += UP2(v);
#endif
#if LANES >= 8
  v += UP4(v);
#endif
#if LANES >= 16
  v += UP8(v);
#endif
  return v;
}

VALUE SUM_BEFORE(struct STATE state, ulong i, VALUE own) {
  VALUE sum = 0;
  for (ulong other = i; other-- > 0;) {
    uint kind;
    do
      kind = JOIN(NAME, _kind)(state, other);
    while (kind == NOTHING_YET);
    if (kind == SUM_FROM_BEGIN) {
      sum += state.from_begin[other];
      break;
    }
    sum += state.own[other];
  }
  JOIN(NAME, _publish)(state, i, SUM_FROM_BEGIN, sum + own);
  return sum;
}

VALUE JOIN(NAME, _sum)(global const VALUE* in, uint count) {
  VECTOR sums[4] = {0, 0, 0, 0};
  uint j = 0;
  for (; j + 4 * LANES <= count; j += 4 * LANES)
    _Pragma("unroll") for (uint k = 0; k < 4; ++k) sums[k] +=
        JOIN(vload, LANES)(0, in + j + k * LANES);
  VALUE sum = LAST(JOIN(NAME, _vector)((sums[0] + sums[1]) + (sums[2] + sums[3])));
  for (; j < count; ++j)
    sum += in[j];
  return sum;
}

void SCAN_PART(global const VALUE* in, global VALUE* out, uint count, uint exclusive, ulong i,
               struct STATE state, global struct schedule* schedule, uint clears,
               local VALUE* values) {
  const VALUE own = JOIN(NAME, _sum)(in, count);
  wait_for_phase(schedule, 0, clears);
  if (i > 0)
    JOIN(NAME, _publish)(state, i, OWN_SUM, own);
  VALUE before = SUM_BEFORE(state, i, own);
  uint j = 0;
  for (; j + LANES <= count; j += LANES) {
    const VECTOR sums = JOIN(NAME, _vector)(JOIN(vload, LANES)(0, in + j));
    JOIN(vstore, LANES)((exclusive ? UP1(sums) : sums) + before, 0, out + j);
    before += LAST(sums);
  }
  for (; j < count; ++j) {
    const VALUE with = before + in[j];
    out[j] = exclusive ? before : with;
    before = with;
  }
}

#undef VECTOR
#undef HALF_VECTOR
#undef UP1
#undef UP2
#undef UP4
#undef UP8
#undef LAST

#endif

kernel GROUP(SCAN_ITEMS) void NAME(ulong n, global const VALUE* in, ulong in_offset,
                                   global VALUE* out, ulong out_offset, uint exclusive,
                                   global void* scratch) {
  local uint shared;
  local VALUE values[LOCAL_VALUES + 1];
  global struct schedule* schedule = scratch;
  const ulong parts = (n + PART - 1) / PART;
  const uint clears = (parts + STATES_TO_CLEAR - 1) / STATES_TO_CLEAR;
  struct STATE state;
  state.own = (global VALUE*)((global char*)scratch + ZERO_BYTES);
  state.from_begin = state.own + parts;
  state.kind = (global atomic_uint*)(state.from_begin + parts);
  for (ulong i; (i = take_ticket(schedule, &shared)) < clears + parts;) {
    if (i < clears) {
      const ulong end = min((i + 1) * STATES_TO_CLEAR, parts);
      for (ulong j = i * STATES_TO_CLEAR + get_local_id(0); j < end; j += get_local_size(0))
        atomic_store_explicit(&state.kind[j], NOTHING_YET, memory_order_relaxed,
                              memory_scope_device);
      end_ticket(schedule, 0);
      continue;
    }
    i -= clears;
    const ulong begin = i * PART;
    SCAN_PART(in + in_offset + begin, out + out_offset + begin, min(n - begin, (ulong)PART),
              exclusive, i, state, schedule, clears, values);
  }
  leave_last(schedule, &shared);
}

#undef STATE
#undef SUM_BEFORE
#undef SCAN_PART
#undef EACH
#undef PART
#undef LOCAL_VALUES
#undef PLACE
