// shuffle and shuffle2: elements chosen at run time by a mask, of which only the bits that count
// are looked at.
#include "types.h"

// The vectors are put into an array, so that one indexed load picks an element; for a mask that the
// compiler knows, the optimizer turns the loads into a vector shuffle.
#define PICK_2(source, mask) source[mask.s0], source[mask.s1]
#define PICK_4(source, mask) PICK_2(source, mask), source[mask.s2], source[mask.s3]
#define PICK_8(source, mask)                                                                       \
  PICK_4(source, mask), source[mask.s4], source[mask.s5], source[mask.s6], source[mask.s7]
#define PICK_16(source, mask)                                                                      \
  PICK_8(source, mask), source[mask.s8], source[mask.s9], source[mask.sa], source[mask.sb],        \
      source[mask.sc], source[mask.sd], source[mask.se], source[mask.sf]

#define SHUFFLE(N, M, T, U)                                                                        \
  BUILTIN T##N shuffle(T##M x, U##N mask) {                                                        \
    mask &= (U)(M - 1);                                                                            \
    return (T##N)(PICK_##N(x, mask));                                                              \
  }                                                                                                \
  BUILTIN T##N shuffle2(T##M x, T##M y, U##N mask) {                                               \
    union {                                                                                        \
      T##M vectors[2];                                                                             \
      T elements[2 * M];                                                                           \
    } source = {{x, y}};                                                                           \
    mask &= (U)(2 * M - 1);                                                                        \
    return (T##N)(PICK_##N(source.elements, mask));                                                \
  }
#define SHUFFLES_OF(M, T, U)                                                                       \
  SHUFFLE(2, M, T, U) SHUFFLE(4, M, T, U) SHUFFLE(8, M, T, U) SHUFFLE(16, M, T, U)
#define SHUFFLES(N, T, S, U, BITS)                                                                 \
  SHUFFLES_OF(2, T, U) SHUFFLES_OF(4, T, U) SHUFFLES_OF(8, T, U) SHUFFLES_OF(16, T, U)
EACH_TYPE(SCALAR_ONLY, SHUFFLES)
