#pragma once

#include <cstdint>

/// The file that the build makes of the built-in library and the compiler carries: the library in
/// some hundred bitcode modules, each with all functions of one name, and a sorted table that says
/// which module defines a symbol. A compile reads only the modules that it needs. All numbers are
/// in the machine's byte order, all offsets from the file's start.
namespace quern::compiler::builtin_index {

struct Header {
  uint32_t symbolCount; ///< of the Symbol rows that follow the header
  uint32_t moduleCount; ///< of the Module rows that follow the symbols
};

/// Sorted by name.
struct Symbol {
  uint32_t nameOffset;
  uint32_t nameBytes;
  uint32_t module; ///< number of the module that defines it
};

struct Module {
  uint32_t offset;
  uint32_t bytes;
};

} // namespace quern::compiler::builtin_index
