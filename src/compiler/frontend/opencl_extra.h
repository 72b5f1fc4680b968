// Included before every OpenCL C program, after Clang's own base header: what neither that header
// nor Clang's table of built-in functions provides. Macros of the program are defined before, so
// that parameters have reserved names or none.
#pragma once

// Younger than Clang 22.
#ifndef CL_VERSION_3_1
#define CL_VERSION_3_1 310
#endif

// Reserved by the specification (section "Preprocessor Directives and Macros") and not defined by
// the front end.
#ifndef __OPENCL_VERSION__
#define __OPENCL_VERSION__ 310
#endif

// Images of OpenGL need no function of their own.
#ifdef __IMAGE_SUPPORT__
#define cl_khr_gl_depth_images 1
#endif

// Clang 22 cannot make values of opaque types from the numbers that it defines these to be. The
// types are part of OpenCL C 2.0 and of C++ for OpenCL 1.0, and features of what came later.
#if defined(__opencl_c_pipes) || __OPENCL_C_VERSION__ == 200 || __OPENCL_CPP_VERSION__ == 100
#undef CLK_NULL_RESERVE_ID
reserve_id_t __attribute__((const)) __quern_null_reserve_id(void);
#define CLK_NULL_RESERVE_ID __quern_null_reserve_id()
#endif
#if defined(__opencl_c_device_enqueue) || __OPENCL_C_VERSION__ == 200 ||                           \
    __OPENCL_CPP_VERSION__ == 100
#undef CLK_NULL_EVENT
clk_event_t __attribute__((const)) __quern_null_event(void);
#define CLK_NULL_EVENT __quern_null_event()
#endif

// Clang 22 makes a broken module of this builtin where the pointer is not that of its own table,
// which leads into no address space. A call by the same name takes the place of it.
#define QUERN_ASSUME_ALIGNED(SPACE)                                                                \
  inline SPACE void* __attribute__((overloadable, always_inline, internal_linkage))                \
  __quern_assume_aligned(const SPACE void* __pointer, size_t __alignment, size_t __offset)         \
      __attribute__((diagnose_if(__alignment == 0 || (__alignment & (__alignment - 1)) != 0,       \
                                 "the alignment is not a power of two", "error")));                \
  inline SPACE void* __attribute__((overloadable, always_inline, internal_linkage))                \
  __quern_assume_aligned(const SPACE void* __pointer, size_t __alignment, size_t __offset) {       \
    __builtin_assume((((size_t)__pointer - __offset) & (__alignment - 1)) == 0);                   \
    return (SPACE void*)__pointer;                                                                 \
  }
QUERN_ASSUME_ALIGNED(__constant)
QUERN_ASSUME_ALIGNED(__global)
QUERN_ASSUME_ALIGNED(__local)
QUERN_ASSUME_ALIGNED(__private)
#if defined(__opencl_c_generic_address_space) || __OPENCL_C_VERSION__ == 200 ||                    \
    __OPENCL_CPP_VERSION__ == 100
QUERN_ASSUME_ALIGNED(__generic)
#endif
#undef QUERN_ASSUME_ALIGNED
#define QUERN_ASSUME_ALIGNED(pointer, alignment, offset, ...)                                      \
  __quern_assume_aligned(pointer, alignment, offset)
#define __builtin_assume_aligned(...) QUERN_ASSUME_ALIGNED(__VA_ARGS__, 0, )

// Not in Clang's table. To declare functions of half and, before OpenCL C 1.2, of double, their use
// must be allowed: that of double for a moment. Half stays, as compilers of other vendors do not
// ask for the pragma and programs forget it.
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
#if defined(cl_khr_fp64) && !defined(__OPENCL_CPP_VERSION__) &&                                    \
    (!defined(__OPENCL_C_VERSION__) || __OPENCL_C_VERSION__ < 120)
#define QUERN_RESTRICTS_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

// The aligned forms with n = 1.
#define QUERN_LOADA_HALF(SPACE)                                                                    \
  float __attribute__((overloadable, pure)) vloada_half(size_t, const SPACE half*);
#define QUERN_STOREA_HALF_ROUNDED(SUFFIX, T, SPACE)                                                \
  void __attribute__((overloadable)) vstorea_half##SUFFIX(T, size_t, SPACE half*);
#define QUERN_STOREA_HALF_OF(T, SPACE)                                                             \
  QUERN_STOREA_HALF_ROUNDED(, T, SPACE)                                                            \
  QUERN_STOREA_HALF_ROUNDED(_rte, T, SPACE)                                                        \
  QUERN_STOREA_HALF_ROUNDED(_rtz, T, SPACE)                                                        \
  QUERN_STOREA_HALF_ROUNDED(_rtp, T, SPACE)                                                        \
  QUERN_STOREA_HALF_ROUNDED(_rtn, T, SPACE)
#ifdef cl_khr_fp64
#define QUERN_STOREA_HALF(SPACE)                                                                   \
  QUERN_STOREA_HALF_OF(float, SPACE) QUERN_STOREA_HALF_OF(double, SPACE)
#else
#define QUERN_STOREA_HALF(SPACE) QUERN_STOREA_HALF_OF(float, SPACE)
#endif
#define QUERN_ACCESS_HALF(SPACE) QUERN_LOADA_HALF(SPACE) QUERN_STOREA_HALF(SPACE)
QUERN_LOADA_HALF(__constant)
QUERN_ACCESS_HALF(__global)
QUERN_ACCESS_HALF(__local)
QUERN_ACCESS_HALF(__private)
#if defined(__opencl_c_generic_address_space) || __OPENCL_C_VERSION__ == 200 ||                    \
    __OPENCL_CPP_VERSION__ == 100
QUERN_ACCESS_HALF(__generic)
#endif
#undef QUERN_ACCESS_HALF
#undef QUERN_STOREA_HALF
#undef QUERN_STOREA_HALF_OF
#undef QUERN_STOREA_HALF_ROUNDED
#undef QUERN_LOADA_HALF

#ifdef cl_khr_extended_async_copies
#define QUERN_COPY(TO, FROM)                                                                       \
  event_t __attribute__((overloadable, convergent)) async_work_group_copy_2D2D(                    \
      TO void* __dst, size_t __dst_offset, const FROM void* __src, size_t __src_offset,            \
      size_t __num_bytes_per_element, size_t __num_elements_per_line, size_t __num_lines,          \
      size_t __src_total_line_length, size_t __dst_total_line_length, event_t __event);            \
  event_t __attribute__((overloadable, convergent)) async_work_group_copy_3D3D(                    \
      TO void* __dst, size_t __dst_offset, const FROM void* __src, size_t __src_offset,            \
      size_t __num_bytes_per_element, size_t __num_elements_per_line, size_t __num_lines,          \
      size_t __num_planes, size_t __src_total_line_length, size_t __src_total_plane_area,          \
      size_t __dst_total_line_length, size_t __dst_total_plane_area, event_t __event);
QUERN_COPY(__local, __global)
QUERN_COPY(__global, __local)
#undef QUERN_COPY
#endif

#ifdef cl_khr_subgroup_rotate
#define QUERN_ROTATE(T)                                                                            \
  T __attribute__((overloadable, convergent)) sub_group_rotate(T, int);                            \
  T __attribute__((overloadable, convergent)) sub_group_clustered_rotate(T, int, uint);
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

#ifdef QUERN_RESTRICTS_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : disable
#undef QUERN_RESTRICTS_DOUBLE
#endif
