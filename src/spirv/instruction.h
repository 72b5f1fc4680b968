#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// SPIR-V modules as words: what instructions there are and what a module says, without any
/// meaning in the compiler's terms. The driver reads modules by it, too.
namespace quern::spirv {

enum class Op : uint16_t {
#define SPIRV_INSTRUCTION(name, number, operands) name = number,
#include "spirv/instructions.def"
};

/// A row of the table of instructions.
struct InstructionRow {
  std::string_view name; ///< without "Op"
  Op op;
  std::string_view operands; ///< as instructions.def has them
};

/// Null for a number that is not in the table.
const InstructionRow* findInstruction(uint32_t number);

/// "OpIAdd", for messages.
std::string nameOf(Op op);

/// One instruction of a module, which must outlive it.
struct Instruction {
  Op op = Op::Nop;
  uint32_t offset = 0;                ///< of its first word in the module
  uint32_t type = 0;                  ///< id of the result's type, or 0
  uint32_t result = 0;                ///< id of the result, or 0
  std::span<const uint32_t> operands; ///< the words behind those

  /// 0 where there is no such operand.
  uint32_t operand(size_t index) const { return index < operands.size() ? operands[index] : 0; }
};

/// A literal string that begins at word `first` of `operands`, where it must be terminated.
std::string_view stringAt(std::span<const uint32_t> operands, size_t first);
/// How many words that string has.
size_t stringWords(std::span<const uint32_t> operands, size_t first);

} // namespace quern::spirv
