#include "spirv/instruction.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

namespace quern::spirv {

namespace {

constexpr InstructionRow rows[] = {
#define SPIRV_INSTRUCTION(name, number, operands) {#name, Op::name, operands},
#include "spirv/instructions.def"
};
static_assert(std::ranges::is_sorted(rows, {}, &InstructionRow::op));

/// For the numbers of SPIR-V's core, which lie close together, the place of the row and 1; 0 for
/// those without one.
constexpr auto placesOfCore = [] {
  std::array<uint16_t, 512> places = {};
  for (size_t i = 0; i < std::size(rows); ++i)
    if (const auto number = static_cast<size_t>(rows[i].op); number < places.size())
      places[number] = static_cast<uint16_t>(i + 1);
  return places;
}();

} // namespace

const InstructionRow* findInstruction(uint32_t number) {
  if (number < placesOfCore.size())
    return placesOfCore[number] != 0 ? rows + placesOfCore[number] - 1 : nullptr;
  const auto* row = std::ranges::lower_bound(rows, number, {}, [](const InstructionRow& candidate) {
    return static_cast<uint32_t>(candidate.op);
  });
  return row != std::end(rows) && static_cast<uint32_t>(row->op) == number ? row : nullptr;
}

std::string nameOf(Op op) {
  const InstructionRow* row = findInstruction(static_cast<uint32_t>(op));
  return "Op" + std::string(row ? row->name : "?");
}

std::string_view stringAt(std::span<const uint32_t> operands, size_t first) {
  const auto* text = reinterpret_cast<const char*>(operands.data() + first);
  return {text, strnlen(text, (operands.size() - first) * sizeof(uint32_t))};
}

size_t stringWords(std::span<const uint32_t> operands, size_t first) {
  return stringAt(operands, first).size() / sizeof(uint32_t) + 1;
}

} // namespace quern::spirv
