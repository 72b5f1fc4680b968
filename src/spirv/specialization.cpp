#include "spirv/specialization.h"

#include <map>

namespace quern::spirv {

namespace {

constexpr uint32_t specIdDecoration = 1;
constexpr uint32_t bitsPerByte = 8;

/// What must be known of a module to find its constants, by id.
struct Facts {
  std::map<uint32_t, uint32_t> specIds;     ///< of constants and of decoration groups
  std::map<uint32_t, uint32_t> scalarBytes; ///< of types

  void read(const Instruction& instruction) {
    const auto& operands = instruction.operands;
    if (instruction.op == Op::Decorate && instruction.operand(1) == specIdDecoration &&
        operands.size() > 2)
      specIds[operands[0]] = operands[2];
    if (instruction.op == Op::GroupDecorate)
      if (const auto group = specIds.find(operands[0]); group != specIds.end())
        for (const uint32_t target : operands.subspan(1))
          specIds[target] = group->second;
    if (instruction.op == Op::TypeInt || instruction.op == Op::TypeFloat)
      scalarBytes[instruction.result] = operands[0] / bitsPerByte;
    if (instruction.op == Op::TypeBool)
      scalarBytes[instruction.result] = 1;
  }
};

} // namespace

std::vector<SpecializationConstant> specializationConstants(const Module& module) {
  Facts facts;
  std::vector<SpecializationConstant> constants;
  for (const Instruction& instruction : module.instructions()) {
    facts.read(instruction);
    if (instruction.op == Op::Function)
      break;
    if (instruction.op != Op::SpecConstant && instruction.op != Op::SpecConstantTrue &&
        instruction.op != Op::SpecConstantFalse)
      continue;
    const auto specId = facts.specIds.find(instruction.result);
    const auto bytes = facts.scalarBytes.find(instruction.type);
    if (specId != facts.specIds.end() && bytes != facts.scalarBytes.end())
      constants.push_back({specId->second, instruction.result, bytes->second});
  }
  return constants;
}

} // namespace quern::spirv
