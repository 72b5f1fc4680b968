// Included before every OpenCL C program, after Clang's own base header: what neither that header
// nor Clang's table of built-in functions provides, but for functions that few programs use
// (builtin_declarations.h). Macros of the program are defined before.
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
#define QUERN_ASSUME_ALIGNED(pointer, alignment, offset, ...)                                      \
  __quern_assume_aligned(pointer, alignment, offset)
#define __builtin_assume_aligned(...) QUERN_ASSUME_ALIGNED(__VA_ARGS__, 0, )

// Compilers of other vendors do not ask for the pragma, and programs forget it.
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
