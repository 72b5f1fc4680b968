#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <CL/cl.h>

#include "abi/footprint.h"
#include "abi/known_arguments.h"
#include "base/bytes.h"
#include "base/result.h"

/// What the compiler produces for one device and the runtime and the device read: kernel
/// descriptions and machine code.
namespace quern::abi {

enum class ArgumentKind : uint8_t {
  Value,    ///< plain data, copied into the argument block
  Global,   ///< pointer to a buffer in global memory
  Constant, ///< pointer to a buffer in constant memory
  Local,    ///< pointer to local memory, whose size the program sets
  Image,
  Sampler,
  Pipe,
  Queue, ///< deviceQueueBits of abi/child_records.h
};

struct KernelArgument {
  ArgumentKind kind = ArgumentKind::Value;
  uint32_t offset = 0;    ///< in the argument block, in bytes
  uint32_t bytes = 0;     ///< in the argument block; what clSetKernelArg must be given for a Value
  uint32_t alignment = 1; ///< of the value; of Local, for any type that the memory may be taken for
  // The answers of clGetKernelArgInfo; names are empty when the program was built without
  // -cl-kernel-arg-info.
  std::string name;
  std::string typeName;
  cl_kernel_arg_address_qualifier addressQualifier = CL_KERNEL_ARG_ADDRESS_PRIVATE;
  cl_kernel_arg_access_qualifier accessQualifier = CL_KERNEL_ARG_ACCESS_NONE;
  cl_kernel_arg_type_qualifier typeQualifier = CL_KERNEL_ARG_TYPE_NONE;
  // For an Image, whose access qualifier is always known.
  cl_mem_object_type imageType = 0; ///< CL_MEM_OBJECT_IMAGExxx
  bool isDepthImage = false;
  bool isMultisampleImage = false;
};

/// An argument, a Value that is an integer of at most 8 bytes, whose value as a constant makes
/// better code.
struct ConstantCandidate {
  uint32_t argument = 0; ///< its index
  uint64_t limit = 0;    ///< of the value's magnitude, as a signed number
};

/// NDRanges with no more work-items in dimension 0 are worth code of their own
/// (LaunchFacts::mostColumns): they leave half of each packet empty, and more.
inline constexpr uint64_t fewColumns = 8;

/// What code relies on in the launches that it runs. Without any it runs all of them.
struct LaunchFacts {
  std::array<uint64_t, 3> localSize = {0, 0, 0}; ///< zeros: any
  bool wholeGroups = false;                      ///< the local size divides the global size
  /// No byte is reached through two of the arguments that are pointers to global or constant
  /// memory.
  bool disjointMemory = false;
  bool zeroOffset = false; ///< ids begin at 0, and tiles where cpuKernelTileMultiple says
  /// NDRanges have no more work-items in dimension 0: a power of two, for KernelDescription's
  /// flatDimensions there; 0: any number.
  uint64_t mostColumns = 0;
  /// The least that KernelDescription::storedBytes of all work-items come to.
  uint64_t storedBytes = 0;
  KnownArguments constants;
  /// Images and samplers: for an image, what abi::formatOf tells of it; for a sampler, its bits
  /// (abi/sampler_bits.h).
  KnownArguments objects;

  bool operator==(const LaunchFacts&) const = default;
};

/// Widths of packets that a kernel may be measured with, and the one that it has.
inline constexpr uint32_t mostComparedWidths = 5;
/// Narrower packets than this gain too little to be measured.
inline constexpr uint32_t leastComparedWidth = 4;

struct KernelDescription {
  std::string name;
  std::string attributes; ///< as CL_KERNEL_ATTRIBUTES prints them
  std::vector<KernelArgument> arguments;
  uint32_t argumentBlockBytes = 0;
  std::array<uint64_t, 3> requiredWorkGroupSize = {0, 0, 0}; ///< reqd_work_group_size, or zeros
  std::array<uint64_t, 3> workGroupSizeHint = {0, 0, 0};
  /// Of the kernel's own local variables; for NVIDIA devices, of those in the dynamic memory.
  uint64_t localBytes = 0;
  uint64_t privateBytes = 0; ///< of one work-item, as far as the compiler knows
  // For CPU devices (abi/cpu_kernel.h).
  std::string entrySymbol; ///< the KernelEntry in the code
  uint64_t contextUniformBytes = 0;
  uint64_t contextItemBytes =
      0; ///< for each work-item; the count is rounded up to a multiple of packetWidth
  uint32_t packetWidth = 1; ///< work-items executed together
  /// What offset and size of an NDRange may come to in each dimension; 0 where the code runs any.
  /// Larger ones need code compiled for them (compiler::Options::anyRange).
  uint64_t rangeLimit = 0;
  /// Bit d: nothing depends on where in dimension d work-groups begin and end, so that the device
  /// may cut the NDRange there as it likes (LaunchInfo::tileSize).
  uint32_t flatDimensions = 0;
  /// Neighbours in this dimension run as one. Where the device chooses how to cut, it leaves that
  /// one long.
  uint32_t packetDimension = 0;
  /// Each call of the entry counts in memory of its own and adds that to the program's in the end:
  /// long ranges of tiles are better.
  bool countsApart = false;
  bool seesOffset = false; ///< better code can be made where LaunchFacts::zeroOffset holds
  /// What a work-item stores in buffers that the kernel does not read, as far as the compiler
  /// knows: better code can be made for launches whose LaunchFacts::storedBytes no cache holds.
  uint64_t storedBytes = 0;
  uint32_t subGroupSize = 1; ///< work-items of a full sub-group
  /// Runs a block, where it was enqueued; not for the program to create.
  bool isBlock = false;
  /// Takes the address of an abi::ChildRecords at this place of the argument block.
  bool enqueues = false;
  bool asksForTimes = false; ///< of what kernels have enqueued
  uint32_t childrenOffset = 0;
  bool prints = false; ///< calls printf; known for NVIDIA devices only
  /// For NVIDIA devices: waits itself until all before it in the stream has ended, so that the
  /// driver may start it earlier.
  bool startsEarly = false;
  /// Made quickly (compiler::Options::firstVersion): code that runs faster can be made.
  bool isFirstVersion = false;
  /// Ascending; at most KnownArguments::most.
  std::vector<ConstantCandidate> constantCandidates;
  LaunchFacts facts;
  /// Widths of packets, 1 for none at all: that of this code, then others that may be faster, the
  /// narrowest first. The first `likelyWidths` are those of which the compiler cannot tell which is
  /// fastest. The others are less likely: its prices, which may be wrong, say that they are slower,
  /// or they are a quarter as wide, which has no price. Empty where nothing may be faster; at most
  /// mostComparedWidths.
  std::vector<uint32_t> comparedWidths;
  uint32_t likelyWidths = 0;
  /// Only looked for where the target asks for it.
  Footprint footprint;
};

struct ProgramImage {
  std::vector<KernelDescription> kernels;
  /// For the CPU a relocatable ELF object for x86-64, for NVIDIA PTX or a cubin.
  Bytes code;
  uint64_t globalVariableBytes = 0; ///< CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE
};

/// Serialises `image`. The result has no header of its own; runtime/program_binary.h wraps,
/// versions and checksums it.
Bytes encode(const ProgramImage& image);

/// Reads what `encode` wrote. Fails with CL_INVALID_BINARY on anything else; never reads out of
/// bounds.
Result<ProgramImage> decodeProgramImage(std::span<const std::byte> bytes);

} // namespace quern::abi
