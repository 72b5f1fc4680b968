#include "compiler/packets/packet_values.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace quern::compiler {

using llvm::Value;

namespace {

bool leavesBlock(const llvm::Instruction& instruction) {
  return llvm::any_of(instruction.users(), [&](const llvm::User* user) {
    return llvm::isa<llvm::PHINode>(user) ||
           llvm::cast<llvm::Instruction>(user)->getParent() != instruction.getParent();
  });
}

} // namespace

PacketValues::PacketValues(const PacketPlan& plan, llvm::Function& function,
                           llvm::IRBuilder<>& builder)
    : plan_(plan), function_(function), builder_(builder) {}

llvm::VectorType* PacketValues::vectorType(llvm::Type* element) const {
  return llvm::FixedVectorType::get(element, plan_.width);
}

llvm::Type* PacketValues::typeOf(const Value* value) const {
  return plan_.shapes.of(value).isVarying() ? vectorType(value->getType()) : value->getType();
}

void PacketValues::createVariables() {
  for (llvm::Instruction& instruction : llvm::instructions(plan_.region)) {
    if (!instruction.getType()->isVoidTy() &&
        (llvm::isa<llvm::PHINode>(instruction) || leavesBlock(instruction)))
      createVariable(&instruction);
    if (plan_.shapes.of(&instruction).isAffine() &&
        llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction))
      createVariablesOfExact(instruction.getOperand(0));
  }
}

void PacketValues::createVariable(Value* value) {
  llvm::AllocaInst*& variable = variables_[value];
  if (!variable)
    variable = builder_.CreateAlloca(typeOf(value), nullptr, value->getName());
}

/// For what `exact` takes from other blocks.
void PacketValues::createVariablesOfExact(Value* value) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction)
    return;
  if (plan_.shapes.of(value).isUniform()) {
    createVariable(value);
    return;
  }
  for (Value* operand : instruction->operands())
    if (!llvm::isa<llvm::TruncInst>(instruction))
      createVariablesOfExact(operand);
    else if (llvm::isa<llvm::Instruction>(operand))
      createVariable(operand);
}

void PacketValues::beginBlock(Value* mask) {
  values_.clear();
  mask_ = mask;
}

/// A scalar or a vector, as the shape says.
Value* PacketValues::current(Value* value) {
  if (auto* argument = llvm::dyn_cast<llvm::Argument>(value))
    return function_.getArg(argument->getArgNo());
  if (!llvm::isa<llvm::Instruction>(value))
    return value;
  Value*& known = values_[value];
  if (!known)
    known = builder_.CreateLoad(typeOf(value), variables_.at(value), value->getName());
  return known;
}

Value* PacketValues::scalar(Value* value) {
  return current(value);
}

Value* PacketValues::strided(Value* base, int64_t stride) {
  const bool isPointer = base->getType()->isPointerTy();
  llvm::Type* type = isPointer ? builder_.getInt64Ty() : base->getType();
  llvm::SmallVector<llvm::Constant*, 16> steps;
  for (unsigned i = 0; i < plan_.width; ++i)
    steps.push_back(llvm::ConstantInt::get(
        builder_.getContext(),
        llvm::APInt(64, static_cast<uint64_t>(stride) * i).trunc(type->getIntegerBitWidth())));
  llvm::Constant* offsets = llvm::ConstantVector::get(steps);
  return isPointer ? builder_.CreateGEP(builder_.getInt8Ty(), base, offsets)
                   : builder_.CreateAdd(builder_.CreateVectorSplat(plan_.width, base), offsets);
}

Value* PacketValues::vector(Value* value) {
  const Shape shape = plan_.shapes.of(value);
  Value* made = current(value);
  if (shape.isVarying())
    return made;
  return shape.isAffine() ? strided(made, shape.stride)
                          : builder_.CreateVectorSplat(plan_.width, made);
}

Value* PacketValues::first(Value* value) {
  Value* made = current(value);
  return plan_.shapes.of(value).isVarying() ? builder_.CreateExtractElement(made, uint64_t{0})
                                            : made;
}

Value* PacketValues::any(Value* mask) {
  return builder_.CreateOrReduce(mask);
}

Value* PacketValues::maskOrAll() {
  return mask_ ? mask_ : llvm::Constant::getAllOnesValue(vectorType(builder_.getInt1Ty()));
}

void PacketValues::prepareEdges(llvm::BasicBlock& from) {
  for (llvm::BasicBlock* to : llvm::successors(&from))
    for (llvm::PHINode& phi : to->phis())
      current(phi.getIncomingValueForBlock(&from));
}

void PacketValues::passToPhis(llvm::BasicBlock& from, llvm::BasicBlock& to, Value* mask) {
  llvm::SmallVector<std::pair<llvm::AllocaInst*, Value*>> passed;
  for (llvm::PHINode& phi : to.phis()) {
    Value* incoming = phi.getIncomingValueForBlock(&from);
    const bool isVarying = plan_.shapes.of(&phi).isVarying();
    llvm::AllocaInst* variable = variables_.at(&phi);
    Value* value = isVarying ? vector(incoming) : scalar(incoming);
    if (mask) {
      Value* before = builder_.CreateLoad(value->getType(), variable);
      value = builder_.CreateSelect(isVarying ? mask : any(mask), value, before);
    }
    passed.emplace_back(variable, value);
  }
  for (auto [variable, value] : passed)
    builder_.CreateStore(value, variable);
}

void PacketValues::define(llvm::Instruction& instruction, Value* value) {
  values_[&instruction] = value;
  if (const auto variable = variables_.find(&instruction); variable != variables_.end())
    builder_.CreateStore(value, variable->second);
}

void PacketValues::emit(llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode>(instruction) || instruction.isDebugOrPseudoInst())
    return;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      call && (call->isAssumeLikeIntrinsic() || call->isLifetimeStartOrEnd()))
    return;
  builder_.SetCurrentDebugLocation(instruction.getDebugLoc());
  if (const AccessGroup* group = plan_.accesses.groupOf(&instruction)) {
    if (group->place().access == &instruction)
      emitGroup(*group);
    return;
  }
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    emitStore(*store);
    return;
  }
  const Shape shape = plan_.shapes.of(&instruction);
  if (shape.isVarying())
    define(instruction, emitVector(instruction));
  else if (shape.isAffine() && llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction))
    define(instruction, emitWide(instruction));
  else
    define(instruction, emitScalar(instruction));
}

} // namespace quern::compiler
