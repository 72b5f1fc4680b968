// clz, ctz, popcount, rotate and the functions of cl_khr_extended_bit_ops.
#include "types.h"

#define BIT_COUNTS(N, T, S, U, BITS)                                                               \
  BUILTIN T##N clz(T##N x) {                                                                       \
    return REINTERPRET(N, T, __builtin_elementwise_clzg(REINTERPRET(N, U, x), (U##N)BITS));        \
  }                                                                                                \
  BUILTIN T##N ctz(T##N x) {                                                                       \
    return REINTERPRET(N, T, __builtin_elementwise_ctzg(REINTERPRET(N, U, x), (U##N)BITS));        \
  }                                                                                                \
  BUILTIN T##N popcount(T##N x) {                                                                  \
    return __builtin_elementwise_popcount(x);                                                      \
  }                                                                                                \
  BUILTIN T##N rotate(T##N x, T##N count) {                                                        \
    return __builtin_elementwise_fshl(x, x, count);                                                \
  }                                                                                                \
  BUILTIN T##N bit_reverse(T##N x) {                                                               \
    return __builtin_elementwise_bitreverse(x);                                                    \
  }
EACH_INTEGER(EACH_WIDTH, BIT_COUNTS)

// A field of all bits cannot be made by a shift by its width, and a field of no bits must not shift
// by BITS; offset + count is at most BITS. Shifting ones right by BITS - count, for a count of at
// least 1, has neither trouble.
#define FIELD_MASK(U, BITS, count) (U)((count) == 0 ? (U)0 : (U)((U) ~(U)0 >> (BITS - (count))))

#define BIT_FIELDS(N, T, S, U, BITS)                                                               \
  BUILTIN T##N bitfield_insert(T##N base, T##N insert, uint offset, uint count) {                  \
    U##N mask = (U##N)(U)(FIELD_MASK(U, BITS, count) << (count == 0 ? 0 : offset));                \
    U##N field = (U##N)(REINTERPRET(N, U, insert) << (U##N)(U)(count == 0 ? 0 : offset));          \
    return REINTERPRET(N, T, (U##N)((REINTERPRET(N, U, base) & ~mask) | (field & mask)));          \
  }                                                                                                \
  BUILTIN U##N bitfield_extract_unsigned(T##N base, uint offset, uint count) {                     \
    return (U##N)(REINTERPRET(N, U, base) >> (U##N)(U)(count == 0 ? 0 : offset)) &                 \
           (U##N)FIELD_MASK(U, BITS, count);                                                       \
  }                                                                                                \
  BUILTIN S##N bitfield_extract_signed(T##N base, uint offset, uint count) {                       \
    U##N at_top =                                                                                  \
        (U##N)(REINTERPRET(N, U, base) << (U##N)(U)(count == 0 ? 0 : BITS - offset - count));      \
    S##N field = (S##N)(REINTERPRET(N, S, at_top) >> (S##N)(S)(count == 0 ? 0 : BITS - count));    \
    return field & (S##N)(S)(count == 0 ? 0 : -1);                                                 \
  }
EACH_INTEGER(EACH_WIDTH, BIT_FIELDS)
