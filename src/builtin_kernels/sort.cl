// Sorts keys, with a value of 32 bits each where PAIRS is defined, by their digits of 8 bits from
// the last to the first, keeping the order of what is equal. In a pass over one digit a part of the
// keys learns where its keys of each digit go as a scan does, from the counts of the parts before
// it (Adinets and Merrill 2022, "Onesweep").
#include "one_launch.h"

#ifndef QUERN_SORT_CL
#define QUERN_SORT_CL
#define SORT_ITEMS 512
#define DIGITS 256
#define TOTALS_BEGIN 64 // in scratch, behind the schedule
#define CLEAR_PARTS 8   // for each ticket of the first phase
// What a part has published of a digit: a count and, above it, of what.
#define COUNT_BITS 62
#define OWN_COUNT 1ul
#define COUNT_FROM_BEGIN 2ul
#endif

#define PASSES (KEY_BITS / 8)
#define ORDERED JOIN(NAME, _ordered)
#define DIGIT(key, pass) (ORDERED(key, flip) >> (8 * (pass)) & (DIGITS - 1))
#define SORT_STATE JOIN(NAME, _state)
#define COUNT_KEYS JOIN(NAME, _count)
#define MOVE_PART JOIN(NAME, _move)

struct SORT_STATE {
  global atomic_ulong* totals;    // of each digit in each pass, over all keys
  global atomic_ulong* counts[2]; // of each digit in each part, for passes in turn
  global KEY *from, *to;
  global uint *values_from, *values_to;
  ulong n;
  KEY flip; // all bits for the descending order
};

// As unsigned numbers in the order of the keys; KEY_KIND is 0 for unsigned, 1 for signed, 2 for
// floating-point numbers.
KEY ORDERED(KEY key, KEY flip) {
  const KEY sign = (KEY)1 << (KEY_BITS - 1);
#if KEY_KIND == 1
  key ^= sign;
#elif KEY_KIND == 2
  key ^= key & sign ? ~(KEY)0 : sign;
#endif
  return key ^ flip;
}

// Waits until part `i` has published a digit's count; `counts` are those of the digit.
ulong JOIN(NAME, _published)(global atomic_ulong* counts, ulong i) {
  ulong word;
  do
    word = atomic_load_explicit(&counts[i * DIGITS], memory_order_relaxed, memory_scope_device);
  while (word == 0);
  return word;
}

// How many keys of a digit there are in parts before `i`, which has `own`.
ulong JOIN(NAME, _before)(global atomic_ulong* counts, ulong i, ulong own) {
  const ulong mask = ((ulong)1 << COUNT_BITS) - 1;
  ulong sum = 0;
  for (ulong other = i; other-- > 0;) {
    const ulong word = JOIN(NAME, _published)(counts, other);
    sum += word & mask;
    if (word >> COUNT_BITS == COUNT_FROM_BEGIN)
      break;
  }
  atomic_store_explicit(&counts[i * DIGITS], COUNT_FROM_BEGIN << COUNT_BITS | (sum + own),
                        memory_order_relaxed, memory_scope_device);
  return sum;
}

void JOIN(NAME, _publish)(global atomic_ulong* counts, ulong i, ulong own) {
  atomic_store_explicit(&counts[i * DIGITS], OWN_COUNT << COUNT_BITS | own, memory_order_relaxed,
                        memory_scope_device);
}

#ifdef ON_GPU

#define EACH (KEY_BITS == 64 ? 8 : 16)
#define PART (SORT_ITEMS * EACH)
struct JOIN(NAME, _memory) {
  uint counts[SORT_ITEMS / LEAST_SUB_GROUP][DIGITS]; // of each sub-group, then where its keys go
  uint begin[DIGITS];                                // in the part
  ulong target[DIGITS];                              // in all keys
  union {
    KEY keys[PART];
#ifdef PAIRS
    uint values[PART];
#endif
  };
};

void COUNT_KEYS(struct SORT_STATE s, ulong begin, uint count, local uint* totals) {
  const KEY flip = s.flip;
  for (uint j = get_local_id(0); j < PASSES * DIGITS; j += SORT_ITEMS)
    totals[j] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint j = get_local_id(0); j < count; j += SORT_ITEMS) {
    const KEY key = s.from[begin + j];
    for (uint pass = 0; pass < PASSES; ++pass)
      atomic_fetch_add_explicit((local atomic_uint*)&totals[pass * DIGITS + DIGIT(key, pass)], 1,
                                memory_order_relaxed, memory_scope_work_group);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint j = get_local_id(0); j < PASSES * DIGITS; j += SORT_ITEMS)
    if (totals[j] != 0)
      atomic_fetch_add_explicit(&s.totals[j], (ulong)totals[j], memory_order_relaxed,
                                memory_scope_device);
}

void MOVE_PART(struct SORT_STATE s, uint pass, ulong i, local struct JOIN(NAME, _memory) * memory) {
  const KEY flip = s.flip;
  const uint me = get_local_id(0), lane = get_sub_group_local_id(), team = get_sub_group_id();
  const uint lanes = get_max_sub_group_size(), teams = get_num_sub_groups();
  const uint count = min(s.n - i * PART, (ulong)PART);
  const uint first = team * lanes * EACH + lane;
  for (uint j = me; j < teams * DIGITS; j += SORT_ITEMS)
    memory->counts[j / DIGITS][j % DIGITS] = 0;
  // Keys beyond the end have the last digit, and come after those that have it.
  KEY keys[EACH];
  _Pragma("unroll") for (uint j = 0; j < EACH; ++j) {
    const uint place = first + j * lanes;
    keys[j] = place < count ? s.from[i * PART + place] : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // Each sub-group counts its keys, in their order; work-items with the same digit find each other
  // by votes on its bits.
  uint ranks[EACH];
  _Pragma("unroll") for (uint j = 0; j < EACH; ++j) {
    const uint digit = first + j * lanes < count ? DIGIT(keys[j], pass) : DIGITS - 1;
    uint same = ~0u;
    _Pragma("unroll") for (uint bit = 0; bit < 8; ++bit) {
      const uint set = sub_group_ballot(digit >> bit & 1).x;
      same &= digit >> bit & 1 ? set : ~set;
    }
    same &= sub_group_ballot(1).x;
    const uint earlier = popcount(same & ((1u << lane) - 1));
    local uint* counter = &memory->counts[team][digit];
    ranks[j] = *counter + earlier;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (earlier == 0)
      *counter += popcount(same);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // One work-item for each digit.
  global atomic_ulong* counts = s.counts[pass % 2] + me;
  uint own = 0;
  if (me < DIGITS) {
    for (uint t = 0; t < teams; ++t) {
      const uint mine = memory->counts[t][me];
      memory->counts[t][me] = own;
      own += mine;
    }
    // Those beyond the end are not there.
    const uint real = me == DIGITS - 1 ? own - (PART - count) : own;
    JOIN(NAME, _publish)(counts, i, real);
  }
  const uint begin = work_group_scan_exclusive_add(own);
  const ulong total = me < DIGITS ? atomic_load_explicit(&s.totals[pass * DIGITS + me],
                                                         memory_order_relaxed, memory_scope_device)
                                  : 0;
  const ulong base = work_group_scan_exclusive_add(total);
  if (me < DIGITS) {
    const uint real = me == DIGITS - 1 ? own - (PART - count) : own;
    memory->begin[me] = begin;
    memory->target[me] = base + JOIN(NAME, _before)(counts, i, real) - begin;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // Sorted in local memory first, so that neighbours write neighbours.
  _Pragma("unroll") for (uint j = 0; j < EACH; ++j) {
    const uint digit = first + j * lanes < count ? DIGIT(keys[j], pass) : DIGITS - 1;
    ranks[j] += memory->counts[team][digit] + memory->begin[digit];
    memory->keys[ranks[j]] = keys[j];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  ulong targets[EACH];
  _Pragma("unroll") for (uint j = 0; j < EACH; ++j) {
    const uint place = me + j * SORT_ITEMS;
    const KEY key = memory->keys[place];
    targets[j] = memory->target[DIGIT(key, pass)] + place;
    if (place < count)
      s.to[targets[j]] = key;
  }
#ifdef PAIRS
  barrier(CLK_LOCAL_MEM_FENCE);
  _Pragma("unroll") for (uint j = 0; j < EACH; ++j) {
    const uint place = first + j * lanes;
    if (place < count)
      memory->values[ranks[j]] = s.values_from[i * PART + place];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  _Pragma("unroll") for (uint j = 0; j < EACH; ++j) {
    const uint place = me + j * SORT_ITEMS;
    if (place < count)
      s.values_to[targets[j]] = memory->values[place];
  }
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
}

#else

#define PART 16384
struct JOIN(NAME, _memory) {
  uint counts[PASSES][DIGITS];
  ulong target[DIGITS];
};

void COUNT_KEYS(struct SORT_STATE s, ulong begin, uint count, local uint* totals) {
  const KEY flip = s.flip;
  for (uint j = 0; j < PASSES * DIGITS; ++j)
    totals[j] = 0;
  for (uint j = 0; j < count; ++j) {
    const KEY key = ORDERED(s.from[begin + j], flip);
    _Pragma("unroll") for (uint pass = 0; pass < PASSES;
                           ++pass)++ totals[pass * DIGITS + (key >> (8 * pass) & (DIGITS - 1))];
  }
  for (uint j = 0; j < PASSES * DIGITS; ++j)
    if (totals[j] != 0)
      atomic_fetch_add_explicit(&s.totals[j], (ulong)totals[j], memory_order_relaxed,
                                memory_scope_device);
}

void MOVE_PART(struct SORT_STATE s, uint pass, ulong i, local struct JOIN(NAME, _memory) * memory) {
  const KEY flip = s.flip;
  const uint count = min(s.n - i * PART, (ulong)PART);
  global const KEY* from = s.from + i * PART;
  local uint* own = memory->counts[0];
  for (uint digit = 0; digit < DIGITS; ++digit)
    own[digit] = 0;
  for (uint j = 0; j < count; ++j)
    ++own[DIGIT(from[j], pass)];
  global atomic_ulong* counts = s.counts[pass % 2];
  for (uint digit = 0; digit < DIGITS; ++digit)
    JOIN(NAME, _publish)(counts + digit, i, own[digit]);
  ulong base = 0;
  for (uint digit = 0; digit < DIGITS; ++digit) {
    memory->target[digit] = base + JOIN(NAME, _before)(counts + digit, i, own[digit]);
    base += atomic_load_explicit(&s.totals[pass * DIGITS + digit], memory_order_relaxed,
                                 memory_scope_device);
  }
  for (uint j = 0; j < count; ++j) {
    const ulong target = memory->target[DIGIT(from[j], pass)]++;
    s.to[target] = from[j];
#ifdef PAIRS
    s.values_to[target] = s.values_from[i * PART + j];
#endif
  }
}

#endif

void JOIN(NAME, _exchange)(struct SORT_STATE* s) {
  global KEY* keys = s->from;
  s->from = s->to;
  s->to = keys;
  global uint* values = s->values_from;
  s->values_from = s->values_to;
  s->values_to = values;
}

#ifdef PAIRS
kernel GROUP(SORT_ITEMS) void NAME(ulong n, global ELEMENT* keys, ulong keys_offset,
                                   global uint* values, ulong values_offset, uint descending,
                                   global void* scratch) {
#else
kernel GROUP(SORT_ITEMS) void NAME(ulong n, global ELEMENT* keys, ulong keys_offset,
                                   uint descending, global void* scratch) {
#endif
  local uint shared;
  local struct JOIN(NAME, _memory) memory;
  global struct schedule* schedule = scratch;
  const ulong parts = (n + PART - 1) / PART;
  struct SORT_STATE s = {.n = n, .flip = descending ? ~(KEY)0 : 0};
  s.totals = (global atomic_ulong*)((global char*)scratch + TOTALS_BEGIN);
  s.counts[0] = (global atomic_ulong*)((global char*)scratch + ZERO_BYTES);
  s.counts[1] = s.counts[0] + parts * DIGITS;
  s.from = (global KEY*)keys + keys_offset;
  s.to = (global KEY*)(s.counts[1] + parts * DIGITS);
#ifdef PAIRS
  s.values_from = values + values_offset;
  s.values_to = (global uint*)(s.to + (n + n % 2)); // aligned, also behind keys of 16 bits
#endif
  uint phase = 0;
  ulong begin = 0; // the first ticket of the phase
  const uint counts = (parts + CLEAR_PARTS - 1) / CLEAR_PARTS;
  for (ulong i; (i = take_ticket(schedule, &shared)) < counts + PASSES * parts;) {
    while (i - begin >= (phase == 0 ? counts : parts)) {
      begin += phase == 0 ? counts : parts;
      if (phase > 0)
        JOIN(NAME, _exchange)(&s);
      ++phase;
    }
    i -= begin;
    if (phase == 0) {
      const ulong end = min((i + 1) * CLEAR_PARTS, parts);
      const ulong first = i * CLEAR_PARTS;
      for (ulong j = first * DIGITS + get_local_id(0); j < end * DIGITS; j += get_local_size(0)) {
        atomic_store_explicit(&s.counts[0][j], 0, memory_order_relaxed, memory_scope_device);
        atomic_store_explicit(&s.counts[1][j], 0, memory_order_relaxed, memory_scope_device);
      }
      COUNT_KEYS(s, first * PART, min(n - first * PART, (ulong)CLEAR_PARTS * PART),
                 &memory.counts[0][0]);
    } else {
      // Counts of the pass before last may be cleared once that is complete, and it is when the
      // last is.
      wait_for_phase(schedule, phase - 1, phase == 1 ? counts : parts);
      MOVE_PART(s, phase - 1, i, &memory);
      if (phase > 1 && phase < PASSES)
        for (uint j = get_local_id(0); j < DIGITS; j += get_local_size(0))
          atomic_store_explicit(&s.counts[phase % 2][i * DIGITS + j], 0, memory_order_relaxed,
                                memory_scope_device);
    }
    end_ticket(schedule, phase);
  }
  if (leave_last(schedule, &shared))
    for (uint j = get_local_id(0); j < PASSES * DIGITS; j += get_local_size(0))
      atomic_store_explicit(&s.totals[j], 0, memory_order_relaxed, memory_scope_device);
}

#undef PASSES
#undef ORDERED
#undef DIGIT
#undef SORT_STATE
#undef COUNT_KEYS
#undef MOVE_PART
#undef PART
#undef EACH
