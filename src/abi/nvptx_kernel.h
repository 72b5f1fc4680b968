#pragma once

#include <cstdint>

/// The binary interface between a kernel compiled to PTX and the NVIDIA device. Compiled code uses
/// the offsets that these structures have here, so any change raises `nvptxKernelAbiVersion`.
namespace quern::abi {

inline constexpr uint32_t nvptxKernelAbiVersion = 7;

/// The first compute capability, times 10, with KernelDescription::startsEarly.
inline constexpr unsigned nvptxDependentLaunchCapability = 90;

/// The last parameter of every kernel, by value, after the kernel's own arguments at the next
/// multiple of its alignment. The threads of a block's work-group are a row, in the order of their
/// linear local ids. Sizes are in work-items; unused dimensions have size 1, offset 0. A
/// local argument is its offset in the work-group's dynamic memory, which begins with
/// KernelDescription::localBytes for the kernel's own local variables.
///
/// What kernels read most often comes first, next to the arguments: each line of the constant cache
/// that the first work-item of a processor touches costs it some hundred nanoseconds.
struct NvptxLaunch {
  /// An NDRange may need several launches: the id of the first work-item of this one, and the
  /// number of its first work-group (`firstGroup`).
  uint64_t firstItem[3];
  uint64_t globalSize[3];
  uint64_t firstGroup[3];
  uint64_t groupCount[3];
  /// As enqueued; the work-groups of this launch are smaller where it does not divide the global
  /// size.
  uint64_t localSize[3];
  uint64_t globalOffset[3];
  uint64_t printBuffer; ///< address of an NvptxPrintBuffer
  uint64_t workDim;
};

/// Where printf puts its records (abi/printf_record.h), each at a multiple of 8 bytes: zeros,
/// followed by `capacity` bytes that are zero before the launch. Kernels add to `used` even when a
/// record does not fit and is dropped.
struct NvptxPrintBuffer {
  uint32_t used;
  uint32_t capacity;
};

} // namespace quern::abi
