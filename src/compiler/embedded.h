#pragma once

#include <string_view>

/// Files that the compiler library carries as data (embedded.S.in). Zero-terminated, alive as long
/// as the library.
namespace quern::compiler::embedded {

/// Clang's opencl-c-base.h: types and macros of OpenCL C.
std::string_view clangHeader();
/// frontend/opencl_extra.h: what Clang's tables of built-in functions lack.
std::string_view ownHeader();
/// The built-in library, in the form of builtin_index/format.h.
std::string_view builtins();

} // namespace quern::compiler::embedded
