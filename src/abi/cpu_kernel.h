#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

/// The binary interface between a compiled CPU kernel and the CPU device. Compiled code uses the
/// offsets that these structures have here, so any change raises `cpuKernelAbiVersion`.
namespace quern::abi {

inline constexpr uint32_t cpuKernelAbiVersion = 6;

/// Where a device chooses the tiles of dimension 0 (LaunchInfo::tileSize), code that relies on
/// LaunchFacts::zeroOffset takes it that each of them begins at a multiple of this many ids.
inline constexpr uint64_t cpuKernelTileMultiple = 16;

/// What is the same for every work-group of an NDRange. Sizes are in work-items; unused dimensions
/// have size 1, offset 0.
struct LaunchInfo {
  uint64_t globalOffset[3];
  uint64_t globalSize[3];
  /// Local size as enqueued. The last work-group of a dimension is smaller where it does not divide
  /// the global size.
  uint64_t localSize[3];
  uint64_t groupCount[3];
  uint64_t workDim;
  /// Called by a kernel for each printf with one record (abi/printf_record.h); valid until it
  /// returns. Thread-safe. Returns what printf returns: 0, or -1 when the record could not be kept.
  int32_t (*print)(void* printState, const std::byte* record, uint64_t recordBytes);
  void* printState;
  /// Work-items of what the entry takes for a work-group: localSize, but for the dimensions of
  /// KernelDescription::flatDimensions, where the device chooses them.
  uint64_t tileSize[3];
};

/// Memory of one worker thread, reused by the work-groups that it runs one after another. All
/// 128-byte aligned.
struct GroupScratch {
  /// Local memory: first the kernel's own local variables (KernelCode::localBytes), then the local
  /// arguments. There is room for a multiple of 128 bytes.
  std::byte* local;
  uint64_t localBytes;
  /// Values and private variables that live across a barrier: KernelCode::contextUniformBytes once
  /// per group, then KernelCode::contextItemBytes for each work-item. Contents need not survive
  /// from one group to the next.
  std::byte* context;
  uint64_t contextBytes;
  /// Bounds of the running thread's stack, to tell private from global addresses.
  const std::byte* stackLow;
  const std::byte* stackHigh;
};

/// Runs the work-groups (groupXBegin..groupXEnd-1, groupY, groupZ), one after the other. They are
/// numbered in units of LaunchInfo::tileSize.
///
/// `arguments` is the packed argument block: each argument at KernelArgument::offset. Pointers to
/// global and constant memory are absolute addresses; a pointer to local memory is a byte offset
/// from GroupScratch::local.
using KernelEntry = void (*)(const void* arguments, const LaunchInfo* launch,
                             const GroupScratch* scratch, uint64_t groupXBegin, uint64_t groupXEnd,
                             uint64_t groupY, uint64_t groupZ);

/// The functions that a kernel's code may import, with their usual C signatures; a device resolves
/// no other symbol. Code for processors with FMA, F16C and SSE4.1 uses little more than the first
/// three.
inline constexpr std::string_view importableSymbols[] = {
    "memcpy",       "memmove",      "memset",     "memcmp",   "bcmp",      "fma",
    "fmaf",         "fmod",         "fmodf",      "ldexp",    "ldexpf",    "floor",
    "floorf",       "ceil",         "ceilf",      "trunc",    "truncf",    "rint",
    "rintf",        "nearbyint",    "nearbyintf", "round",    "roundf",    "__extendhfsf2",
    "__truncsfhf2", "__truncdfhf2", "__divti3",   "__modti3", "__udivti3", "__umodti3",
    "__multi3"};

} // namespace quern::abi
