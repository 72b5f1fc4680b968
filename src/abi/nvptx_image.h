#pragma once

#include <cstdint>

#include "abi/cpu_image.h"

namespace quern::abi {

/// What a kernel for an NVIDIA device reads of an image: each image argument is the address of an
/// NvptxImage. The built-in library (src/builtins/include/textures.h) repeats the declaration in
/// OpenCL C, so any change raises `nvptxKernelAbiVersion`.
///
/// Textures have two dimensions, the second of size 1 for an image of one dimension, and read as
/// float for normalized and floating-point channels, else as 32-bit integers. Each is 0 where there
/// is no such texture; then kernels read memory. Channels that are not stored read as 0.
struct NvptxImage {
  CpuImage memory;
  uint64_t elements; ///< for places that are integers; beyond the edges all channels are 0
  // With the linear filter, whose weights have 8 bits: for unsigned elements that have no more.
  uint64_t filteredToEdge;    ///< places in elements
  uint64_t filteredToBorder;  ///< likewise, zeros outside
  uint64_t filteredRepeating; ///< normalized places
  uint32_t alpha;             ///< bits that every alpha has: those of 1 where none is stored
  uint32_t isBlueFirst;       ///< whether blue is in the place of red, and red in that of blue
};

} // namespace quern::abi
