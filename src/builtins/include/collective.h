// Collective functions of work-groups and sub-groups. Each is a call of a function that only the
// compiler knows: all work-items give their operands and wait; then a `Combine` makes the results
// of all of them at once, from arrays that hold an element for each work-item in the order of their
// linear ids; then they go on, each with its own result.
#pragma once

#include "types.h"

#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable

// `count` work-items; `other` is the second operand of functions that have one. Where `next` is
// given, only the work-items whose element of it is `region` take part, and only their results may
// be written.
typedef void (*Combine)(private void* results, const private void* operands,
                        const private void* others, ulong count, const private uint* next,
                        uint region);

#define COMBINE(NAME)                                                                              \
  static void NAME(private void* results, const private void* operands,                            \
                   const private void* others, ulong count, const private uint* next, uint region)
#define TAKES_PART(i) (!next || next[i] == region)
#define EACH_ITEM(i) for (ulong i = 0; i < count; ++i)
#define EACH_TAKING_PART(i) EACH_ITEM(i) if (TAKES_PART(i))

// The compiler's functions, for results R of operands T and U. WHO is group_uniform (the results
// are all the same), group_item or sub_group.
#define DECLARE_COLLECTIVE(WHO, R, T) R __quern_##WHO##_##R##_##T(Combine, T)
#define DECLARE_COLLECTIVE_WITH(WHO, R, T, U) R __quern_##WHO##_##R##_##T##_##U(Combine, T, U)

// The operations of reductions and scans, with the value that changes nothing.
#define OPERATION_add(a, b) ((a) + (b))
#define OPERATION_mul(a, b) ((a) * (b))
#define OPERATION_min(a, b) ((b) < (a) ? (b) : (a))
#define OPERATION_max(a, b) ((a) < (b) ? (b) : (a))
#define OPERATION_and(a, b) ((a) & (b))
#define OPERATION_or(a, b) ((a) | (b))
#define OPERATION_xor(a, b) ((a) ^ (b))
#define OPERATION_logical_and(a, b) ((a) && (b))
#define OPERATION_logical_or(a, b) ((a) || (b))
#define OPERATION_logical_xor(a, b) (!(a) != !(b))

#define IDENTITY_add(T) ((T)0)
#define IDENTITY_mul(T) ((T)1)
#define IDENTITY_min(T) GREATEST_##T
#define IDENTITY_max(T) LEAST_##T
#define IDENTITY_and(T) ((T) ~(T)0)
#define IDENTITY_or(T) ((T)0)
#define IDENTITY_xor(T) ((T)0)
#define IDENTITY_logical_and(T) ((T)1)
#define IDENTITY_logical_or(T) ((T)0)
#define IDENTITY_logical_xor(T) ((T)0)

#define LEAST_char CHAR_MIN
#define LEAST_short SHRT_MIN
#define LEAST_int INT_MIN
#define LEAST_long LONG_MIN
#define LEAST_uchar 0
#define LEAST_ushort 0
#define LEAST_uint 0
#define LEAST_ulong 0
#define LEAST_float -INFINITY
#define LEAST_double -(double)INFINITY
#define LEAST_half -(half)INFINITY
#define GREATEST_char CHAR_MAX
#define GREATEST_short SHRT_MAX
#define GREATEST_int INT_MAX
#define GREATEST_long LONG_MAX
#define GREATEST_uchar UCHAR_MAX
#define GREATEST_ushort USHRT_MAX
#define GREATEST_uint UINT_MAX
#define GREATEST_ulong ULONG_MAX
#define GREATEST_float INFINITY
#define GREATEST_double (double)INFINITY
#define GREATEST_half (half) INFINITY

// Reductions and scans of T by OP, as functions named NAME_reduce, NAME_scan_inclusive and
// NAME_scan_exclusive. The one of group_uniform makes one result.
#define COMBINE_REDUCTION(NAME, OP, T)                                                             \
  COMBINE(NAME##_reduce) {                                                                         \
    T total = IDENTITY_##OP(T);                                                                    \
    EACH_TAKING_PART(i) total = OPERATION_##OP(total, ((const private T*)operands)[i]);            \
    *(private T*)results = total;                                                                  \
  }
#define COMBINE_REDUCTIONS(NAME, OP, T)                                                            \
  COMBINE(NAME##_reduce) {                                                                         \
    T total = IDENTITY_##OP(T);                                                                    \
    EACH_TAKING_PART(i) total = OPERATION_##OP(total, ((const private T*)operands)[i]);            \
    EACH_TAKING_PART(i)((private T*)results)[i] = total;                                           \
  }
#define COMBINE_SCANS(NAME, OP, T)                                                                 \
  COMBINE(NAME##_scan_inclusive) {                                                                 \
    T total = IDENTITY_##OP(T);                                                                    \
    EACH_TAKING_PART(i) {                                                                          \
      total = OPERATION_##OP(total, ((const private T*)operands)[i]);                              \
      ((private T*)results)[i] = total;                                                            \
    }                                                                                              \
  }                                                                                                \
  COMBINE(NAME##_scan_exclusive) {                                                                 \
    T total = IDENTITY_##OP(T);                                                                    \
    EACH_TAKING_PART(i) {                                                                          \
      T own = ((const private T*)operands)[i];                                                     \
      ((private T*)results)[i] = total;                                                            \
      total = OPERATION_##OP(total, own);                                                          \
    }                                                                                              \
  }
