#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The checks that can be compiled into CPU kernels (the option QUERN_CHECK), and what a kernel
/// that finds a fault says of the place where it did.
namespace quern::abi {

enum class Check : uint8_t { Memory, Races, Uninitialised, Barriers, Arithmetic, Arguments };

inline constexpr std::array<std::string_view, 6> checkNames = {
    "memory", "races", "uninitialised", "barriers", "arithmetic", "arguments"};

class CheckSet {
public:
  constexpr bool has(Check check) const { return (bits_ & bit(check)) != 0; }
  constexpr bool any() const { return bits_ != 0; }
  constexpr void add(Check check) { bits_ |= bit(check); }
  bool operator==(const CheckSet&) const = default;

private:
  static constexpr uint32_t bit(Check check) { return uint32_t{1} << static_cast<unsigned>(check); }
  uint32_t bits_ = 0;
};

/// Reads "all", "off", nothing, or names separated by `separator`; nothing for anything else.
std::optional<CheckSet> parseChecks(std::string_view text, char separator = ',');
/// The names in the order of Check.
std::string textOf(CheckSet checks, char separator);

/// What went wrong. The comment says what the two values of a report are.
enum class Fault : uint8_t {
  Read,             ///< offset from the object's first byte, size of the object
  Write,            ///< likewise
  ElementRead,      ///< index of the element, how many its array has
  ElementWrite,     ///< likewise
  MisalignedRead,   ///< offset, size of the object
  MisalignedWrite,  ///< likewise
  DivisionByZero,   ///< the dividend, 0
  DivisionOverflow, ///< the dividend, the divisor
  Shift,            ///< how far, the width in bits
  Conversion,       ///< the number as the bits of a double, the width in bits
  UninitialisedBranch,
  UninitialisedAddress,
  UninitialisedStore,
  DivergentBarrier, ///< the number of work-items that have reached it, of the work-group
  UnknownEvent,     ///< the event, 0
  UnawaitedCopy,
  RaceRead,       ///< offset, size of the object
  RaceWrite,      ///< likewise
  ForbiddenRead,  ///< of a buffer that kernels may only write
  ForbiddenWrite, ///< of one that they may only read
  Aliasing,       ///< the argument that is not `restrict`, 0
};

/// What was accessed.
enum class ObjectKind : uint8_t {
  None,
  Argument,
  LocalArgument,
  Local,
  Private,
  Constant,
  Variable,
  Memory
};

/// A place in a kernel where a check may find a fault.
struct CheckSite {
  Fault fault = Fault::Read;
  std::string file;
  uint32_t line = 0; ///< 0 where it is not known
  uint32_t column = 0;
  ObjectKind object = ObjectKind::None;
  uint32_t argument = 0; ///< index of an Argument
  std::string name;      ///< of the object; may be empty
  uint64_t bytes = 0;    ///< of the access, or the alignment that it needs
};

/// The text of a constant in the kernel's code, and back. Nothing for what is no such text.
std::string encode(const CheckSite& site);
std::optional<CheckSite> decodeCheckSite(std::string_view text);

} // namespace quern::abi
