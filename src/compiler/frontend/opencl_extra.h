// Included before every OpenCL C program, after Clang's own base header: what neither that header nor Clang's table of
// built-in functions provides.
#pragma once

// Reserved by the specification (section "Preprocessor Directives and Macros") and not defined by the front end.
#ifndef __OPENCL_VERSION__
#define __OPENCL_VERSION__ 300
#endif

// Not in Clang's table.
#ifdef cl_khr_subgroup_rotate
#define QUERN_ROTATE(T)                                                                            \
  T __attribute__((overloadable, convergent)) sub_group_rotate(T value, int delta);                \
  T __attribute__((overloadable, convergent))                                                      \
  sub_group_clustered_rotate(T value, int delta, uint clustersize);
QUERN_ROTATE(char)
QUERN_ROTATE(uchar)
QUERN_ROTATE(short)
QUERN_ROTATE(ushort)
QUERN_ROTATE(int)
QUERN_ROTATE(uint)
QUERN_ROTATE(long)
QUERN_ROTATE(ulong)
QUERN_ROTATE(float)
#ifdef cl_khr_fp64
QUERN_ROTATE(double)
#endif
#ifdef cl_khr_fp16
QUERN_ROTATE(half)
#endif
#undef QUERN_ROTATE
#endif
