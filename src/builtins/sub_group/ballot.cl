// Sets of work-items of a sub-group (cl_khr_subgroup_ballot). A sub-group has at most 32, so only
// the first element of a ballot has bits.
#include "collective.h"

uint __quern_sub_group_uint_int(Combine, int);

COMBINE(ballot) {
  uint set = 0;
  EACH_TAKING_PART(i)
  if (((const private int*)operands)[i] != 0)
    set |= 1u << i;
  EACH_TAKING_PART(i)((private uint*)results)[i] = set;
}
BUILTIN uint4 sub_group_ballot(int predicate) {
  return (uint4)(__quern_sub_group_uint_int(ballot, predicate), 0, 0, 0);
}

// Bits of the work-items below one.
static uint below(uint id) {
  return id < 32 ? (1u << id) - 1 : ~0u;
}
static uint everyone(void) {
  return below(get_max_sub_group_size());
}
static uint own(void) {
  return 1u << get_sub_group_local_id();
}
static uint4 mask(uint bits) {
  return (uint4)(bits & everyone(), 0, 0, 0);
}

BUILTIN int sub_group_inverse_ballot(uint4 value) {
  return (value.x & own()) != 0;
}
BUILTIN int sub_group_ballot_bit_extract(uint4 value, uint index) {
  return index < 32 ? (value.x >> index) & 1 : 0;
}
BUILTIN uint sub_group_ballot_bit_count(uint4 value) {
  return popcount(value.x & everyone());
}
BUILTIN uint sub_group_ballot_inclusive_scan(uint4 value) {
  return popcount(value.x & below(get_sub_group_local_id() + 1));
}
BUILTIN uint sub_group_ballot_exclusive_scan(uint4 value) {
  return popcount(value.x & below(get_sub_group_local_id()));
}
BUILTIN uint sub_group_ballot_find_lsb(uint4 value) {
  return popcount(~(value.x & everyone()) & ((value.x & everyone()) - 1));
}
BUILTIN uint sub_group_ballot_find_msb(uint4 value) {
  return 31 - clz(value.x & everyone());
}

BUILTIN uint4 get_sub_group_eq_mask(void) {
  return mask(own());
}
BUILTIN uint4 get_sub_group_ge_mask(void) {
  return mask(~below(get_sub_group_local_id()));
}
BUILTIN uint4 get_sub_group_gt_mask(void) {
  return mask(~below(get_sub_group_local_id() + 1));
}
BUILTIN uint4 get_sub_group_le_mask(void) {
  return mask(below(get_sub_group_local_id() + 1));
}
BUILTIN uint4 get_sub_group_lt_mask(void) {
  return mask(below(get_sub_group_local_id()));
}
