#pragma once

#include <cstdint>

/// How a kernel hands one printf call to its device: a header, then one field for each argument
/// after the format string. Fields follow each other without padding; values are little-endian.
namespace quern::abi {

/// Kinds of a printf argument, after the default promotions of OpenCL C.
enum class PrintfKind : uint8_t {
  Integer = 0, ///< signed or unsigned, elementBytes 1, 2, 4 or 8 (8-, 16- and 32-bit elements stay
               ///< small in vectors)
  Float = 1,   ///< elementBytes 2, 4 or 8
  Pointer = 2, ///< 8 bytes; also the argument of %s
};

struct PrintfHeader {
  uint64_t format; ///< address of the zero-terminated format string; readable by whoever formats
                   ///< the record
  uint32_t recordBytes;
  uint32_t argumentCount;
};

/// Precedes the elementCount * elementBytes bytes of each argument's value (3-element vectors hold
/// 3 elements).
struct PrintfField {
  PrintfKind kind;
  uint8_t elementBytes;
  uint8_t elementCount;
};

} // namespace quern::abi
