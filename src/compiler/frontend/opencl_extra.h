// Included before every OpenCL C program, after Clang's own base header: what neither that header nor Clang's table of
// built-in functions provides.
#pragma once

// Reserved by the specification (section "Preprocessor Directives and Macros") and not defined by the front end.
#ifndef __OPENCL_VERSION__
#define __OPENCL_VERSION__ 300
#endif
