#pragma once

#include <cstdint>
#include <string_view>

#include "abi/cpu_kernel.h"

/// What a CPU kernel with checks (abi/checks.h) and the device tell each other, beside what all
/// kernels do (abi/cpu_kernel.h).
namespace quern::abi {

/// Memory that a kernel may use by one of its arguments.
struct MemoryExtent {
  uint64_t begin; ///< address; 0 for a local argument, whose address differs between threads
  uint64_t bytes;
  bool isUnreadable = false; ///< the program has said that kernels only write it
  bool isUnwritable = false; ///< likewise that they only read it
};

/// What the runtime tells the device of a launch: it follows the kernel's own arguments in their
/// block, at the next multiple of 8 bytes, with the `extentCount` MemoryExtents of the arguments
/// behind it. Those that are no pointers to memory of the device have 0 bytes.
struct CheckedArguments {
  /// Tells the program of a fault by a sentence. Any thread may call it while the launch runs,
  /// holding any lock.
  void (*report)(void* receiver, std::string_view sentence);
  void* receiver;
  uint64_t extentCount;
};

/// Where CheckedArguments are.
constexpr uint64_t checkedArgumentsOffset(uint64_t argumentBlockBytes) {
  return (argumentBlockBytes + 7) / 8 * 8;
}

inline constexpr unsigned overlapBits = 64;

/// What a kernel with checks finds where others have a LaunchInfo.
struct CheckedLaunchInfo {
  LaunchInfo launch;
  const MemoryExtent* extents; ///< one for each argument of the kernel
  void* state;                 ///< what the functions of `checkSymbols` are told of the launch
  /// Bit i: the memory of argument i may be that of another one, too. Only of the first
  /// `overlapBits` arguments; what is no pointer to global memory has no bit.
  uint64_t overlaps;
  /// The same, and all ones for a launch that is not one row of less than 2^31 work-items.
  uint64_t sharedElements;
  /// Bit i: the memory of argument i must not be read, or not be written. Of the first
  /// `overlapBits` arguments.
  uint64_t unreadable, unwritable;
  /// One for each argument of the kernel: null where all of its memory has been written.
  /// Otherwise where a byte of its first byte is that is 0 where that has never been written and
  /// all ones where it has, with those of the bytes that follow. Those of `tokenSlack` bytes before
  /// and behind may be read, too.
  std::byte* const* written;
  uint64_t isAnyUnwritten; ///< of the memory that may be reached by any pointer; 0 or 1
};

/// What the device has found out about memory that a kernel has reached by a pointer out of memory:
/// all addresses of `length` bytes from `first` on lie in memory of `bytes` bytes from `begin` on.
struct LookedUpMemory {
  uint64_t first = 0, length = 0;
  uint64_t begin = 0, bytes = 0;
};

/// What a kernel with checks finds where others have a GroupScratch.
struct CheckedScratch {
  GroupScratch scratch;
  /// An AccessToken for each 4 bytes of local memory, in the order of its addresses. Those of
  /// `tokenSlack` bytes before and behind may be read, too.
  std::byte* tokens;
  /// Number of the interval in which the work-group begins.
  uint32_t interval;
  /// As CheckedLaunchInfo::written, for each byte of local memory, and aligned like that. A
  /// work-group that uses it sets all of them to 0 first.
  std::byte* written;
  /// What was looked up last in this launch.
  LookedUpMemory lookedUp;
};
inline constexpr uint64_t tokenSlack = 64 << 10;

/// What need not be told of accesses to 4 bytes of local memory, because the device knows of one
/// that stands for it: the low two bits say which accesses (AccessTokenKind), the next ones number
/// a work-item of the work-group, the rest is the number of the interval, which grows by 1 at each
/// barrier of local memory. 0 where all is to be told.
using AccessToken = uint32_t;
enum class AccessTokenKind : uint32_t {
  OwnReads,    ///< the work-item's, which are not atomic
  WrittenOnce, ///< likewise: it has written all 4 bytes, and a second write would be news
  OwnAccesses, ///< all of the work-item that are not atomic
  OfAll,       ///< `tokenOfReads` or `tokenOfAtomics`
};
inline constexpr unsigned tokenItemShift = 2, tokenIntervalShift = 14;
inline constexpr AccessToken tokenOfReads = 3;   ///< of anyone, with the interval above
inline constexpr AccessToken tokenOfAtomics = 7; ///< likewise, of atomic accesses

/// Further functions that the code of kernels with checks may import. Those that tell the device of
/// something are
/// `void quern_check_...(const CheckedLaunchInfo* launch, const char* site, uint64_t value0,
/// uint64_t value1, uint64_t value2, uint64_t globalX, uint64_t globalY, uint64_t globalZ)`.
/// The site is the text of an abi::CheckSite, the ids are those of the work-item. `launch` is null
/// where that is not known.
/// - fault: a check has found one, for which abi/checks.h says what the values are.
/// - access: of `value0` the address, `value1` the bits of what is stored in up to 8 bytes, or, of
///   a read in local memory, the work-item's token for OwnReads or 0; `value2` CheckedAccessBits
///   and the number of bytes.
/// - barrier: the work-item has reached what the CheckedMeeting `value2` says.
inline constexpr std::string_view checkFaultSymbol = "quern_check_fault";
inline constexpr std::string_view checkAccessSymbol = "quern_check_access";
inline constexpr std::string_view checkBarrierSymbol = "quern_check_barrier";
/// `uint64_t quern_check_begin(uint64_t address)` and `uint64_t quern_check_bytes(uint64_t
/// address)`: where the memory of a device, the work-group or the work-item begins that `address`
/// lies in, and how large it is. A size of 0 where it lies in none.
inline constexpr std::string_view checkBeginSymbol = "quern_check_begin";
inline constexpr std::string_view checkBytesSymbol = "quern_check_bytes";
/// `void quern_check_written(uint64_t address, uint64_t bytes)`: so many bytes have been written
/// through a pointer of which only its address is known.
inline constexpr std::string_view checkWrittenSymbol = "quern_check_written";
inline constexpr std::string_view checkSymbols[] = {checkFaultSymbol,   checkAccessSymbol,
                                                    checkBarrierSymbol, checkBeginSymbol,
                                                    checkBytesSymbol,   checkWrittenSymbol};

/// What work-items of a work-group meet at (OpenCL C, 6.15.8 and 6.15.11).
enum class CheckedMeeting : uint64_t {
  End,     ///< of the kernel, which `value1` work-items of the work-group run
  Barrier, ///< whose flags are `value0`; `value1` as above
  Copy,    ///< of the work-group; `value0` stands for what it copies, `value1` for its event
  Wait,    ///< for the event that `value0` stands for
};

/// The names of meetings that are no barriers, in the CheckSite.
inline constexpr std::string_view meetingOfCopy = "copy", meetingOfWait = "wait for an event";

/// What the flags of a barrier are for collective functions, which order all memory, and a further
/// one for what only a sub-group waits at.
inline constexpr uint64_t checkedFlagsOfCollective = 7;
inline constexpr uint64_t checkedFlagOfSubGroup = 1 << 8;

/// The upper half of an access's third value.
enum CheckedAccessBits : uint64_t {
  checkedWrite = uint64_t{1} << 32,
  checkedAtomic = uint64_t{1} << 33,
  checkedLocal = uint64_t{1} << 34, ///< of local memory, otherwise global
  /// The kernel orders accesses by fences, which are not followed: nothing is a race then.
  checkedFenced = uint64_t{1} << 35,
};

} // namespace quern::abi
