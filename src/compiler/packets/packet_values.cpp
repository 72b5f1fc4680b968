#include "compiler/packets/packet_values.h"

#include <llvm/Analysis/VectorUtils.h>
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

Value* PacketValues::emitScalar(llvm::Instruction& instruction) {
  // Disjoint bits add up, but the first work-item's need not be disjoint when it does not run this.
  if (instruction.getOpcode() == llvm::Instruction::Or && plan_.shapes.of(&instruction).isAffine())
    return builder_.CreateAdd(scalar(instruction.getOperand(0)), scalar(instruction.getOperand(1)));
  llvm::Instruction* copy = instruction.clone();
  for (llvm::Use& operand : copy->operands())
    if (!llvm::isa<llvm::Function>(operand))
      operand = scalar(operand);
  // The first work-item may be one that does not run this.
  if (plan_.shapes.of(&instruction).isAffine())
    copy->dropPoisonGeneratingFlags();
  builder_.Insert(copy, instruction.getName());
  return copy;
}

/// Shapes::isExact holds: the number in 64 bits.
Value* PacketValues::exact(Value* value) {
  if (plan_.shapes.of(value).isUniform())
    return builder_.CreateSExt(scalar(value), builder_.getInt64Ty());
  auto& instruction = llvm::cast<llvm::Instruction>(*value);
  if (llvm::isa<llvm::TruncInst>(instruction))
    return scalar(instruction.getOperand(0));
  Value* left = exact(instruction.getOperand(0));
  Value* right = exact(instruction.getOperand(1));
  return builder_.CreateBinOp(llvm::cast<llvm::BinaryOperator>(instruction).getOpcode(), left,
                              right);
}

Value* PacketValues::emitWide(llvm::Instruction& instruction) {
  return builder_.CreateTrunc(exact(instruction.getOperand(0)), instruction.getType());
}

Value* PacketValues::emitVector(llvm::Instruction& instruction) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return emitLoad(*load);
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    return emitCall(*call);
  if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    return emitAddress(*address);
  if (instruction.isIntDivRem())
    return emitDivision(llvm::cast<llvm::BinaryOperator>(instruction));
  Value* result = nullptr;
  if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    result = builder_.CreateBinOp(operation->getOpcode(), vector(operation->getOperand(0)),
                                  vector(operation->getOperand(1)));
  else if (auto* operation = llvm::dyn_cast<llvm::UnaryOperator>(&instruction))
    result = builder_.CreateUnOp(operation->getOpcode(), vector(operation->getOperand(0)));
  else if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    result = builder_.CreateCast(cast->getOpcode(), vector(cast->getOperand(0)),
                                 vectorType(cast->getType()));
  else if (auto* comparison = llvm::dyn_cast<llvm::CmpInst>(&instruction))
    result = builder_.CreateCmp(comparison->getPredicate(), vector(comparison->getOperand(0)),
                                vector(comparison->getOperand(1)));
  else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction))
    result = builder_.CreateSelect(plan_.shapes.of(select->getCondition()).isUniform()
                                       ? scalar(select->getCondition())
                                       : vector(select->getCondition()),
                                   vector(select->getTrueValue()), vector(select->getFalseValue()));
  else
    result = builder_.CreateFreeze(vector(instruction.getOperand(0)));
  if (auto* made = llvm::dyn_cast<llvm::Instruction>(result))
    made->copyIRFlags(&instruction);
  return result;
}

/// A work-item that does not run this must not divide by what it happens to have.
Value* PacketValues::emitDivision(llvm::BinaryOperator& division) {
  Value* divisor = vector(division.getOperand(1));
  if (mask_)
    divisor = builder_.CreateSelect(mask_, divisor, llvm::ConstantInt::get(divisor->getType(), 1));
  return builder_.CreateBinOp(division.getOpcode(), vector(division.getOperand(0)), divisor);
}

Value* PacketValues::emitAddress(llvm::GetElementPtrInst& address) {
  const auto operand = [&](Value* value) {
    return plan_.shapes.of(value).isUniform() ? scalar(value) : vector(value);
  };
  Value* base = operand(address.getPointerOperand());
  llvm::SmallVector<Value*> indices;
  for (Value* index : address.indices())
    indices.push_back(operand(index));
  return builder_.CreateGEP(address.getSourceElementType(), base, indices);
}

Value* PacketValues::emitCall(llvm::CallInst& call) {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  const auto isScalarOperand = [&](unsigned i) {
    return llvm::isVectorIntrinsicWithScalarOpAtArg(id, i, nullptr);
  };
  bool hasVectorForm = id != llvm::Intrinsic::not_intrinsic;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    hasVectorForm = hasVectorForm &&
                    (!isScalarOperand(i) || plan_.shapes.of(call.getArgOperand(i)).isUniform());
  if (hasVectorForm) {
    llvm::SmallVector<llvm::Type*> types;
    llvm::SmallVector<Value*> arguments;
    if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr))
      types.push_back(vectorType(call.getType()));
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      Value* argument = call.getArgOperand(i);
      arguments.push_back(isScalarOperand(i) ? scalar(argument) : vector(argument));
      if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, i, nullptr))
        types.push_back(arguments.back()->getType());
    }
    llvm::CallInst* result = builder_.CreateIntrinsic(id, types, arguments);
    result->copyIRFlags(&call);
    return result;
  }
  // One call after the other. What a work-item that does not run this passes must be some number.
  llvm::SmallVector<Value*> arguments;
  for (Value* argument : call.args())
    arguments.push_back(plan_.shapes.of(argument).isUniform()
                            ? scalar(argument)
                            : builder_.CreateFreeze(vector(argument)));
  Value* result = llvm::PoisonValue::get(vectorType(call.getType()));
  for (uint64_t lane = 0; lane < plan_.width; ++lane) {
    llvm::SmallVector<Value*> own;
    for (unsigned i = 0; i < call.arg_size(); ++i)
      own.push_back(plan_.shapes.of(call.getArgOperand(i)).isUniform()
                        ? arguments[i]
                        : builder_.CreateExtractElement(arguments[i], lane));
    llvm::CallInst* one = builder_.CreateCall(call.getFunctionType(), call.getCalledOperand(), own);
    one->setCallingConv(call.getCallingConv());
    one->setAttributes(call.getAttributes());
    one->dropUBImplyingAttrsAndMetadata();
    result = builder_.CreateInsertElement(result, one, lane);
  }
  return result;
}

Value* PacketValues::emitLoad(llvm::LoadInst& load) {
  llvm::VectorType* type = vectorType(load.getType());
  Value* pointer = load.getPointerOperand();
  const Shape shape = plan_.shapes.of(pointer);
  const int64_t bytes = function_.getDataLayout().getTypeStoreSize(load.getType()).getFixedValue();
  if (shape.isAffine() && shape.stride == bytes && !load.getType()->isIntegerTy(1)) {
    Value* base = scalar(pointer);
    if (mask_)
      return builder_.CreateMaskedLoad(type, base, load.getAlign(), mask_);
    return builder_.CreateAlignedLoad(type, base, load.getAlign());
  }
  return builder_.CreateMaskedGather(type, vector(pointer), load.getAlign(), maskOrAll());
}

void PacketValues::emitStore(llvm::StoreInst& store) {
  Value* pointer = store.getPointerOperand();
  Value* value = store.getValueOperand();
  const Shape shape = plan_.shapes.of(pointer);
  const int64_t bytes =
      function_.getDataLayout().getTypeStoreSize(value->getType()).getFixedValue();
  if (shape.isUniform() && plan_.shapes.of(value).isUniform()) {
    builder_.CreateAlignedStore(scalar(value), scalar(pointer), store.getAlign());
  } else if (shape.isAffine() && shape.stride == bytes && !value->getType()->isIntegerTy(1)) {
    Value* base = scalar(pointer);
    if (mask_)
      builder_.CreateMaskedStore(vector(value), base, store.getAlign(), mask_);
    else
      builder_.CreateAlignedStore(vector(value), base, store.getAlign());
  } else {
    // Where work-items write to one place the last one stays, as if each ran after the other.
    builder_.CreateMaskedScatter(vector(value), vector(pointer), store.getAlign(), maskOrAll());
  }
}

} // namespace quern::compiler
