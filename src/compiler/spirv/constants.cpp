// Constants and variables of a module.
#include <cstring>

#include <llvm/IR/Constants.h>

#include "base/sentence.h"
#include "compiler/il/address_space.h"
#include "compiler/spirv/failure.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/module_reader.h"

namespace quern::compiler::spirv {

void ModuleReader::define(const Instruction& instruction, const Type& type, llvm::Constant* value) {
  if (!type.llvm || type.llvm != value->getType())
    throw RuleBroken{sentence("has the result type ", type.id, ", which its value does not have")};
  values_[instruction.result] = {&type, value};
}

bool ModuleReader::readConstant(const Instruction& instruction) {
  switch (instruction.op) {
  case Op::Undef:
  case Op::ConstantTrue:
  case Op::ConstantFalse:
  case Op::Constant:
  case Op::ConstantComposite:
  case Op::ConstantNull:
  case Op::SpecConstantTrue:
  case Op::SpecConstantFalse:
  case Op::SpecConstant:
  case Op::SpecConstantComposite:
  case Op::SpecConstantOp:
    break;
  case Op::ConstantFunctionPointerINTEL: {
    const Type& type = types_.get(instruction.type);
    if (!type.isPointer() || type.parts.empty() || type.parts[0]->op != Op::TypeFunction)
      throw RuleBroken{"has a result type that is no pointer to a function"};
    define(instruction, type, functionPointers_.addressOf(instruction, type));
    return true;
  }
  case Op::ConstantSampler: {
    const auto operands = instruction.operands;
    if (types_.get(instruction.type).op != Op::TypeSampler)
      throw RuleBroken{"has a result type that is no sampler"};
    if (operands[0] > 4 || operands[1] > 1 || operands[2] > 1)
      throw RuleBroken{"has an addressing mode, a flag or a filter mode that is not known"};
    // As OpenCL C counts (abi/sampler_bits.h).
    samplers_[instruction.result] = operands[0] * 2 | operands[1] | (operands[2] + 1) * 0x10;
    return true;
  }
  default:
    return false;
  }
  const Type& type = types_.get(instruction.type);
  if (!type.llvm || type.op == Op::TypeVoid || !type.llvm->isSized())
    throw RuleBroken{sentence("has the result type ", type.id, ", of which there are no values")};
  switch (instruction.op) {
  case Op::Undef:
    define(instruction, type, llvm::UndefValue::get(type.llvm));
    break;
  case Op::ConstantNull:
    define(instruction, type, llvm::Constant::getNullValue(type.llvm));
    break;
  case Op::ConstantComposite:
  case Op::SpecConstantComposite:
    define(instruction, type, compositeConstant(instruction, type));
    break;
  case Op::SpecConstantOp:
    define(instruction, type, constantOperation(instruction));
    break;
  default:
    define(instruction, type, scalarConstant(instruction, type));
  }
  return true;
}

const SpecializationValue* ModuleReader::setValue(const Instruction& instruction) const {
  const std::optional<uint32_t> specId =
      decorations_.number(instruction.result, Decoration::SpecId);
  if (specId)
    for (const SpecializationValue& constant : specialization_)
      if (constant.specId == *specId)
        return &constant;
  return nullptr;
}

llvm::Constant* ModuleReader::scalarConstant(const Instruction& instruction, const Type& type) {
  const SpecializationValue* set = setValue(instruction);
  if (instruction.op != Op::Constant && instruction.op != Op::SpecConstant) {
    if (type.op != Op::TypeBool)
      throw RuleBroken{"has a result type that is not Boolean"};
    const bool isTrue =
        set ? !set->value.empty() && set->value[0] != std::byte(0)
            : instruction.op == Op::ConstantTrue || instruction.op == Op::SpecConstantTrue;
    return llvm::ConstantInt::getBool(type.llvm, isTrue);
  }
  if (!type.isInteger() && !type.isFloat())
    throw RuleBroken{"has a result type that is no number"};
  const unsigned bits = type.llvm->getPrimitiveSizeInBits();
  if (instruction.operands.size() != (bits + 31) / 32)
    throw RuleBroken{sentence("has a value of ", instruction.operands.size(),
                              " words for a type of ", bits, " bits")};
  uint64_t word = instruction.operands[0];
  if (bits == 64)
    word |= uint64_t{instruction.operands[1]} << 32;
  if (set) {
    word = 0;
    std::memcpy(&word, set->value.data(), std::min(set->value.size(), sizeof(word)));
  }
  const llvm::APInt value = llvm::APInt(64, word).trunc(bits);
  if (type.isInteger())
    return llvm::ConstantInt::get(type.llvm, value);
  return llvm::ConstantFP::get(context(), llvm::APFloat(type.llvm->getFltSemantics(), value));
}

llvm::Constant* ModuleReader::compositeConstant(const Instruction& instruction, const Type& type) {
  std::vector<llvm::Constant*> members;
  for (const uint32_t id : instruction.operands) {
    const Value* member = find(id);
    if (!member || !llvm::isa_and_nonnull<llvm::Constant>(member->value))
      throw RuleBroken{sentence("names the id ", id, ", which is no constant")};
    members.push_back(llvm::cast<llvm::Constant>(member->value));
  }
  const auto requireCount = [&](uint64_t count) {
    if (members.size() != count)
      throw RuleBroken{sentence("has ", members.size(), " constituents for a type of ", count)};
  };
  const auto requireType = [&](const llvm::Constant* member, const llvm::Type* expected) {
    if (member->getType() != expected)
      throw RuleBroken{"has a constituent of another type than the result's part"};
  };
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type.llvm)) {
    requireCount(structure->getNumElements());
    for (unsigned i = 0; i < members.size(); ++i)
      requireType(members[i], structure->getElementType(i));
    return llvm::ConstantStruct::get(structure, members);
  }
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type.llvm)) {
    requireCount(array->getNumElements());
    for (const llvm::Constant* member : members)
      requireType(member, array->getElementType());
    return llvm::ConstantArray::get(array, members);
  }
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type.llvm);
  if (!vector)
    throw RuleBroken{"has a result type that is no composite"};
  requireCount(vector->getNumElements());
  for (const llvm::Constant* member : members)
    requireType(member, vector->getElementType());
  return llvm::ConstantVector::get(members);
}

llvm::Constant* ModuleReader::constantOperation(const Instruction& instruction) {
  Instruction operation = instruction;
  operation.op = static_cast<Op>(instruction.operands[0]);
  operation.operands = instruction.operands.subspan(1);
  const quern::spirv::InstructionRow* row = quern::spirv::findInstruction(instruction.operands[0]);
  // What the table says of operands was checked for OpSpecConstantOp alone.
  const size_t needed = row ? row->operands.find_first_of("?*") : std::string_view::npos;
  const size_t atLeast =
      row ? std::min(needed - (needed != std::string_view::npos), row->operands.size()) : 0;
  if (!row || !row->operands.starts_with("TR") || operation.operands.size() + 2 < atLeast)
    throw RuleBroken{sentence("names the instruction ", instruction.operands[0],
                              ", which makes no constant of these operands")};
  return foldConstant(*this, operation);
}

void ModuleReader::readVariable(const Instruction& instruction) {
  const Type& type = types_.get(instruction.type);
  // An untyped variable says its type itself, and then what it begins as.
  const bool isUntyped = instruction.op == Op::UntypedVariableKHR;
  const size_t initial = isUntyped ? 2 : 1;
  if (!type.isPointer() || type.parts.empty() != isUntyped ||
      static_cast<uint32_t>(type.storage) != instruction.operands[0] ||
      (isUntyped && instruction.operands.size() < initial))
    throw RuleBroken{"has a result type that is no pointer of its storage class"};
  const Type& content = isUntyped ? types_.get(instruction.operands[1]) : *type.parts[0];
  if (!content.llvm || !content.llvm->isSized())
    throw RuleBroken{"has a type without a size"};
  if (const auto builtIn = decorations_.number(instruction.result, Decoration::BuiltIn)) {
    builtIns_[instruction.result] = *builtIn;
    if (isUntyped)
      throw RuleBroken{"is a built-in variable without a type"};
    values_[instruction.result] = {&type, nullptr};
    return;
  }
  if (type.storage != Storage::UniformConstant && type.storage != Storage::Workgroup &&
      type.storage != Storage::CrossWorkgroup)
    throw RuleBroken{
        sentence("has the storage class ", instruction.operands[0], " outside of a function")};
  llvm::Constant* initializer = nullptr;
  if (instruction.operands.size() > initial) {
    const Value* value = find(instruction.operands[initial]);
    initializer = value ? llvm::dyn_cast_or_null<llvm::Constant>(value->value) : nullptr;
    if (!initializer || initializer->getType() != content.llvm)
      throw RuleBroken{"has an initializer that is no constant of its type"};
  }
  const bool isLocal = type.storage == Storage::Workgroup;
  auto* variable = new llvm::GlobalVariable(
      module_, content.llvm, type.storage == Storage::UniformConstant,
      llvm::GlobalValue::InternalLinkage, nullptr, "", nullptr, llvm::GlobalValue::NotThreadLocal,
      type.llvm->getPointerAddressSpace());
  bool isImported = false;
  decorations_.forEach(instruction.result, Decoration::LinkageAttributes,
                       [&](std::span<const uint32_t> operands) {
                         isImported |= !operands.empty() && operands.back() == 1;
                       });
  setLinkage(*variable, instruction.result, !isImported);
  if (!isImported)
    variable->setInitializer(isLocal       ? llvm::UndefValue::get(content.llvm)
                             : initializer ? initializer
                                           : llvm::Constant::getNullValue(content.llvm));
  if (const auto bytes = decorations_.number(instruction.result, Decoration::Alignment);
      bytes && llvm::isPowerOf2_32(*bytes))
    variable->setAlignment(llvm::Align(*bytes));
  else
    variable->setAlignment(module_.getDataLayout().getABITypeAlign(content.llvm));
  values_[instruction.result] = {&type, variable};
}

} // namespace quern::compiler::spirv
