// The built-in functions that Clang's table lacks, as the specification declares them: what the
// compiler declares where a program uses them (compiler/frontend/builtin_declarations.cpp).
#pragma once

// 6.15.7, the aligned forms with n = 1.
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
