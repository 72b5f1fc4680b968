#pragma once

#include <cstdint>

#include "abi/cpu_image.h"

namespace quern::abi {

/// What a kernel for an NVIDIA device reads of an image: each image argument is the address of an
/// NvptxImage. The built-in library (src/builtins/nvptx/sample.cl) repeats the declaration in OpenCL
/// C, so any change raises `nvptxKernelAbiVersion`.
///
/// Textures have two dimensions, the second of size 1 for an image of one dimension, and read as
/// the stored channels: float for normalized and floating-point ones, else 32-bit integers. Each is
/// 0 where there is no such texture; then kernels read memory.
struct NvptxImage {
  CpuImage memory;
  /// The element in which a place lies, in elements; beyond the edges the one at the edge.
  uint64_t elements;
  // With the linear filter, whose weights have 8 bits.
  uint64_t filteredToEdge;    ///< places in elements
  uint64_t filteredToBorder;  ///< likewise, zeros outside
  uint64_t filteredRepeating; ///< normalized places
};

} // namespace quern::abi
