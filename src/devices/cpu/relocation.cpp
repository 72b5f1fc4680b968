#include "devices/cpu/relocation.h"

#include <cstring>
#include <elf.h>

#include "devices/cpu/elf_object.h"

namespace quern::cpu {

namespace {

enum class Field { None, Word64, Signed32, Unsigned32 };

struct Value {
  Field field = Field::None;
  uint64_t value = 0;
  bool known = true;
};

Value evaluate(uint32_t type, const RelocationValues& v) {
  const uint64_t addend = static_cast<uint64_t>(v.addend);
  switch (type) {
  case R_X86_64_NONE:
    return {};
  case R_X86_64_64:
    return {Field::Word64, v.symbol + addend};
  case R_X86_64_32:
    return {Field::Unsigned32, v.symbol + addend};
  case R_X86_64_32S:
    return {Field::Signed32, v.symbol + addend};
  case R_X86_64_PC64:
    return {Field::Word64, v.symbol + addend - v.place};
  case R_X86_64_PC32:
  case R_X86_64_PLT32:
    return {Field::Signed32, v.branch + addend - v.place};
  case R_X86_64_PLTOFF64:
    return {Field::Word64, v.branch + addend - v.got};
  case R_X86_64_GOT32:
    return {Field::Signed32, v.gotSlot - v.got + addend};
  case R_X86_64_GOT64:
    return {Field::Word64, v.gotSlot - v.got + addend};
  case R_X86_64_GOTPCREL:
  case R_X86_64_GOTPCRELX:
  case R_X86_64_REX_GOTPCRELX:
    return {Field::Signed32, v.gotSlot + addend - v.place};
  case R_X86_64_GOTPCREL64:
    return {Field::Word64, v.gotSlot + addend - v.place};
  case R_X86_64_GOTOFF64:
    return {Field::Word64, v.symbol + addend - v.got};
  case R_X86_64_GOTPC32:
    return {Field::Signed32, v.got + addend - v.place};
  case R_X86_64_GOTPC64:
    return {Field::Word64, v.got + addend - v.place};
  default:
    return {.known = false};
  }
}

} // namespace

bool needsGotSlot(uint32_t type) {
  switch (type) {
  case R_X86_64_GOT32:
  case R_X86_64_GOT64:
  case R_X86_64_GOTPCREL:
  case R_X86_64_GOTPCRELX:
  case R_X86_64_REX_GOTPCRELX:
  case R_X86_64_GOTPCREL64:
    return true;
  default:
    return false;
  }
}

Status applyRelocation(uint32_t type, const RelocationValues& values, std::byte* field,
                       uint64_t room) {
  const Value result = evaluate(type, values);
  if (!result.known)
    return invalidCode("relocations of type " + std::to_string(type) + " are not supported");
  if (result.field == Field::None)
    return {};
  const uint64_t bytes = result.field == Field::Word64 ? 8 : 4;
  if (room < bytes)
    return invalidCode("a relocation lies outside its section");
  const bool fits = result.field == Field::Word64 ||
                    (result.field == Field::Unsigned32 ? result.value <= UINT32_MAX
                                                       : static_cast<int64_t>(result.value) ==
                                                             static_cast<int32_t>(result.value));
  if (!fits)
    return invalidCode("a relocation of type " + std::to_string(type) +
                       " does not reach its target: the code is not position-independent");
  std::memcpy(field, &result.value, bytes);
  return {};
}

} // namespace quern::cpu
