// The types that built-ins are defined for, as macros that apply a definition to each of them. A
// definition takes the number of elements first: empty for a scalar, so that T##N names the type.
#pragma once

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// A built-in's linkage and mangling are those of the program's call. Small ones always vanish into
// their caller.
#define BUILTIN __attribute__((overloadable, always_inline))
#define BUILTIN_OUT_OF_LINE __attribute__((overloadable))
// For what few arguments need, and would only be in the way of the others.
#define BUILTIN_RARE __attribute__((overloadable, noinline))
// For what hardly any program needs and takes many registers, which those of a GPU's kernel are
// counted by.
#define BUILTIN_COLD __attribute__((overloadable, noinline, cold))
// A condition that hardly any argument fulfils: packets are priced without what it leads to.
#define UNLIKELY(condition) __builtin_expect(condition, 0)

// Expressions are evaluated as written: contraction would make vector and scalar forms differ.
#pragma OPENCL FP_CONTRACT OFF

#define EACH_VECTOR(M, ...)                                                                        \
  M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__) M(8, __VA_ARGS__) M(16, __VA_ARGS__)
#define EACH_WIDTH(M, ...) M(, __VA_ARGS__) EACH_VECTOR(M, __VA_ARGS__)
#define SCALAR_ONLY(M, ...) M(, __VA_ARGS__)

// EACH_...(WIDTHS, M) is WIDTHS(M, type, signed type of its size, unsigned type of its size, bits)
// for every type of a group.
#define EACH_SIGNED(WIDTHS, M)                                                                     \
  WIDTHS(M, char, char, uchar, 8)                                                                  \
  WIDTHS(M, short, short, ushort, 16)                                                              \
  WIDTHS(M, int, int, uint, 32)                                                                    \
  WIDTHS(M, long, long, ulong, 64)
#define EACH_UNSIGNED(WIDTHS, M)                                                                   \
  WIDTHS(M, uchar, char, uchar, 8)                                                                 \
  WIDTHS(M, ushort, short, ushort, 16)                                                             \
  WIDTHS(M, uint, int, uint, 32)                                                                   \
  WIDTHS(M, ulong, long, ulong, 64)
#define EACH_INTEGER(WIDTHS, M) EACH_SIGNED(WIDTHS, M) EACH_UNSIGNED(WIDTHS, M)
#define EACH_FLOATING(WIDTHS, M)                                                                   \
  WIDTHS(M, float, int, uint, 32)                                                                  \
  WIDTHS(M, double, long, ulong, 64)
#define EACH_FLOATING_AND_HALF(WIDTHS, M)                                                          \
  EACH_FLOATING(WIDTHS, M)                                                                         \
  WIDTHS(M, half, short, ushort, 16)
#define EACH_TYPE(WIDTHS, M) EACH_INTEGER(WIDTHS, M) EACH_FLOATING_AND_HALF(WIDTHS, M)

// CONVERT(N, T, x): x, of N elements, converted to element type T as by a C cast of each element.
#define CONVERT(N, T, x) CONVERT_##N(T, x)
#define CONVERT_(T, x) ((T)(x))
#define CONVERT_2(T, x) __builtin_convertvector(x, T##2)
#define CONVERT_3(T, x) __builtin_convertvector(x, T##3)
#define CONVERT_4(T, x) __builtin_convertvector(x, T##4)
#define CONVERT_8(T, x) __builtin_convertvector(x, T##8)
#define CONVERT_16(T, x) __builtin_convertvector(x, T##16)

// REINTERPRET(N, T, x): the bits of x, of N elements, as elements of type T.
#define REINTERPRET(N, T, x) __builtin_astype(x, T##N)
