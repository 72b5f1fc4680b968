#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"

namespace quern::cpu {

/// The values that the x86-64 ABI's relocation formulas are made of.
struct RelocationValues {
  uint64_t symbol = 0; ///< S, the symbol's address
  uint64_t branch = 0; ///< L, where a call may go instead; the symbol itself when it is near
  uint64_t gotSlot =
      0; ///< address of the symbol's entry in the global offset table; 0 where it has none
  uint64_t got = 0;   ///< GOT, the table's address
  int64_t addend = 0; ///< A
  uint64_t place = 0; ///< P, the address that the relocated field will have
};

/// Whether a relocation of this type needs RelocationValues::gotSlot.
bool needsGotSlot(uint32_t type);

/// Writes the field at `field`, of which `room` bytes belong to the section. CL_INVALID_BINARY when
/// the type is not known, the value does not fit the field or the field the section.
Status applyRelocation(uint32_t type, const RelocationValues& values, std::byte* field,
                       uint64_t room);

} // namespace quern::cpu
