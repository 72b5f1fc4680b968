#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Which bytes of its buffers a kernel reads and writes, as a function of the range of work-groups
/// that a part of a launch runs: what the compiler finds out and whoever splits a launch evaluates
/// (device/footprint.h).
namespace quern::abi {

struct KernelDescription;

/// What a step of an offset does. The steps are in postfix order and work on a stack of ranges of
/// signed numbers: each pushes all that a value may be in the work-items of the part, or more.
enum class FootprintOperation : uint8_t {
  // Push a range.
  Any,      ///< every number of so many bits
  Constant, ///< `value`
  Argument, ///< bytes of the argument `value & 0xffff` from byte `value >> 16` on, an integer
  // Of dimension `value`: as the work-item functions give them, `First` is the global id of the
  // work-group's first work-item, and `Size` the size of the work-group itself.
  Group,
  Size,
  First,
  Item,
  Offset,
  GlobalSize,
  LocalSize,
  GroupCount,
  WorkDim,
  // Replace the topmost range.
  UpTo,       ///< 0 up to it as an unsigned number
  Truncate,   ///< to `bits`
  ZeroExtend, ///< of `value` bits
  // Replace the two topmost ranges, of the same number of bits, by what the operation of LLVM's
  // name makes of them.
  Add,
  Subtract,
  Multiply,
  DivideUnsigned,
  DivideSigned,
  RemainderUnsigned,
  RemainderSigned,
  And,
  ShiftLeft,
  ShiftRightLogical,
  ShiftRightArithmetic,
  LeastSigned,
  GreatestSigned,
  LeastUnsigned,
  GreatestUnsigned,
  Either, ///< what one of them may be
  // The lower one's numbers that are not above, or not below, some number of the topmost. Where
  // there are none, no work-item of the part makes the access.
  AtMost,
  AtLeast,
  AtMostUnsigned,
  AtLeastUnsigned,
  Drop, ///< the topmost is gone
  Count,
};

struct FootprintStep {
  FootprintOperation operation = FootprintOperation::Any;
  uint8_t bits = 64; ///< 1 to 64, of what it leaves
  int64_t value = 0;

  bool operator==(const FootprintStep&) const = default;
};

/// What a kernel does with the memory that one of its arguments points to. For a buffer: with
/// `bytes` bytes from the offset that `offset` leaves on its stack. For an image or a pipe: with
/// all of it; there are no steps.
struct FootprintAccess {
  uint32_t argument = 0; ///< its index
  bool reads = false, writes = false;
  uint32_t bytes = 0;
  std::vector<FootprintStep> offset;

  bool operator==(const FootprintAccess&) const = default;
};

/// Why the work-groups of a launch must stay together.
enum class FootprintTie : uint8_t {
  None,     ///< they need not: no work-group can tell what another one does
  Unknown,  ///< nobody has looked
  Atomic,   ///< atomic operations on global memory
  Volatile, ///< volatile accesses to global memory, by which groups may wait for each other
  Variable, ///< variables of the program, of which there is one for all
  Pointer,  ///< pointers that are none of the kernel's arguments
  Call,     ///< calls a function of which it is not known what it does with memory
  Count,
};

struct Footprint {
  FootprintTie tie = FootprintTie::Unknown;
  std::vector<FootprintAccess> accesses;

  bool operator==(const Footprint&) const = default;
};

/// Of one kernel, so that evaluating takes microseconds.
inline constexpr size_t mostFootprintSteps = 4096;
/// Ranges on the stack at a time.
inline constexpr size_t footprintStack = 64;

/// Whether `footprint` can be evaluated for launches of `kernel`: its steps find what they need on
/// the stack, and name arguments that there are.
bool isConsistent(const Footprint& footprint, const KernelDescription& kernel);

/// One line, such as "none; read 0 4 first.0 item.0 add 2 shl", for a reader and for
/// `parseFootprint`; numbers of bits are given where they are not 64, as "add/32".
std::string print(const Footprint& footprint);
/// Nothing where `print` did not make `text`.
std::optional<Footprint> parseFootprint(std::string_view text);

/// "atomic operations on global memory", for sentences about a launch that stays in one piece.
std::string_view describe(FootprintTie tie);

} // namespace quern::abi
