#include "compiler/packets/packet_instructions.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/il/boundary.h"
#include "compiler/il/packet_condition.h"
#include "compiler/il/packet_operation.h"
#include "compiler/il/sub_group_form.h"
#include "compiler/packets/each_item.h"
#include "compiler/packets/item_loops.h"
#include "compiler/packets/prefetch.h"

namespace quern::compiler {

using llvm::Value;

namespace {
/// Bytes of the widest vectors.
constexpr uint64_t maxAlignment = 64;

/// Where an element of a vector of the program's is taken from, or put.
unsigned placeIn(const llvm::Instruction& instruction) {
  const llvm::Value* place = instruction.getOperand(instruction.getNumOperands() - 1);
  return static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(place)->getZExtValue());
}
} // namespace

void PacketInstructions::emit(llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode>(instruction) || instruction.isDebugOrPseudoInst() ||
      isPacketBarrier(instruction))
    return;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      call && (call->isAssumeLikeIntrinsic() || call->isLifetimeStartOrEnd()))
    return;
  builder_.SetCurrentDebugLocation(instruction.getDebugLoc());
  if (isPacketAll(instruction)) {
    values_.define(instruction, conditions_.holdsForAll(instruction.getOperand(0)));
    return;
  }
  const AccessLowering* access = accesses_.of(&instruction);
  if (access && &access->place() != &instruction)
    return;
  unsigned varyingDimensions = access ? access->varyingDimensions(plan_.sharing)
                                      : plan_.sharing.varyingDimensions(&instruction);
  // What all packets store alike, those that run it must store.
  if (instruction.mayWriteToMemory() && values_.isMasked())
    varyingDimensions = TileSharing::everyDimension;
  const bool asksForMask = instruction.mayReadOrWriteMemory() || instruction.isIntDivRem() ||
                           llvm::isa<llvm::CallInst>(instruction);
  plan_.sharing.forEachOwner(varyingDimensions, [&](unsigned packet) {
    setPacket(packet);
    values_.setMask(asksForMask ? std::optional(varyingDimensions) : std::nullopt);
    if (access)
      access->emit(values_);
    else
      emitOne(instruction);
  });
}

void PacketInstructions::emitOne(llvm::Instruction& instruction) {
  if (isCombinable(instruction) && shapeOf(instruction.getOperand(0)).isUniform())
    ItemLoops(values_).emitCombined(instruction);
  else if (isPacketCollective(instruction))
    values_.define(instruction,
                   emitGroupCollective(values_, llvm::cast<llvm::CallInst>(instruction)));
  else if (isSubGroupOperation(instruction))
    values_.define(instruction, subGroups_.emit(llvm::cast<llvm::CallInst>(instruction)));
  else if (runsForEachItem(instruction))
    ItemLoops(values_).emit(instruction);
  else if (isPrefetch(instruction))
    emitPrefetch(llvm::cast<llvm::CallInst>(instruction));
  else
    values_.define(instruction, valueOf(instruction));
}

Value* PacketInstructions::valueOf(llvm::Instruction& instruction) {
  if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    return emitVariable(*variable);
  if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      address && plan_.shapes.arrays().isInterleaved(address))
    return emitInterleavedAddress(*address);
  const Shape shape = shapeOf(&instruction);
  if (shape.isVarying())
    return emitVector(instruction);
  if (shape.isShifted() && llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction))
    return emitWide(instruction);
  if (Value* stepped = fromOtherRow(instruction))
    return stepped;
  return emitScalar(instruction);
}

Value* PacketInstructions::emitScalar(llvm::Instruction& instruction) {
  // Disjoint bits add up, but the first work-item's need not be disjoint when it does not run this.
  if (const auto* bits = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction);
      bits && bits->isDisjoint() && plan_.shapes.of(bits).isShifted())
    return builder_.CreateAdd(scalar(instruction.getOperand(0)), scalar(instruction.getOperand(1)));
  llvm::Instruction* copy = instruction.clone();
  for (llvm::Use& operand : copy->operands())
    if (!llvm::isa<llvm::Function>(operand))
      operand = scalar(operand);
  // The first work-item may be one that does not run this.
  if (plan_.shapes.of(&instruction).isShifted())
    copy->dropPoisonGeneratingFlags();
  if (values_.mustNotFault() && copy->isIntDivRem())
    copy->setOperand(1, builder_.CreateSelect(builder_.CreateOrReduce(mask()), copy->getOperand(1),
                                              llvm::ConstantInt::get(copy->getType(), 1)));
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(copy); call && values_.mustNotFault())
    call->dropUBImplyingAttrsAndMetadata();
  builder_.Insert(copy, instruction.getName());
  return copy;
}

/// It is a hint, so that those may prefetch, too, that do not run it.
void PacketInstructions::emitPrefetch(llvm::CallInst& call) {
  Value* address = call.getArgOperand(0);
  const Shape shape = shapeOf(address);
  Value* all = shape.isVarying() ? builder_.CreateFreeze(vector(address)) : scalar(address);
  for (unsigned item : prefetchingItems(shape, plan_.width)) {
    llvm::Instruction* one = call.clone();
    one->setOperand(0, shape.isVarying()
                           ? builder_.CreateExtractElement(all, item)
                           : builder_.CreatePtrAdd(all, builder_.getInt64(static_cast<uint64_t>(
                                                            shape.offset(item)))));
    builder_.Insert(one);
  }
}

/// Shapes::isExact holds: the number in 64 bits.
Value* PacketInstructions::exact(Value* value) {
  if (plan_.shapes.of(value).isUniform())
    return builder_.CreateSExt(scalar(value), builder_.getInt64Ty());
  auto& instruction = llvm::cast<llvm::Instruction>(*value);
  if (llvm::isa<llvm::TruncInst>(instruction))
    return scalar(instruction.getOperand(0));
  Value* left = exact(instruction.getOperand(0));
  Value* right = exact(instruction.getOperand(1));
  // As in emitScalar.
  const auto operation = llvm::cast<llvm::BinaryOperator>(instruction).getOpcode();
  return builder_.CreateBinOp(
      operation == llvm::Instruction::Or ? llvm::Instruction::Add : operation, left, right);
}

Value* PacketInstructions::emitWide(llvm::Instruction& instruction) {
  return builder_.CreateTrunc(exact(instruction.getOperand(0)), instruction.getType());
}

Value* PacketInstructions::emitVector(llvm::Instruction& instruction) {
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    return emitCall(*call);
  if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    return emitAddress(*address);
  if (instruction.isIntDivRem())
    return divisions_.emit(llvm::cast<llvm::BinaryOperator>(instruction));
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
    result = emitComparison(*comparison);
  else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction))
    result = builder_.CreateSelect(emitCondition(*select), vector(select->getTrueValue()),
                                   vector(select->getFalseValue()));
  else if (auto* taken = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction))
    result = takeElement(builder_, vector(taken->getVectorOperand()),
                         elementsOf(taken->getVectorOperandType()), placeIn(*taken));
  else if (auto* put = llvm::dyn_cast<llvm::InsertElementInst>(&instruction))
    result = putElement(builder_, vector(put->getOperand(0)), vector(put->getOperand(1)),
                        elementsOf(put->getType()), placeIn(*put));
  else if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction))
    result = shuffleWhole(builder_, *shuffle, vector(shuffle->getOperand(0)),
                          vector(shuffle->getOperand(1)));
  else
    result = builder_.CreateFreeze(vector(instruction.getOperand(0)));
  if (auto* made = llvm::dyn_cast<llvm::Instruction>(result))
    made->copyIRFlags(&instruction);
  return result;
}

/// One bit for all, or one for each element that is chosen.
Value* PacketInstructions::emitCondition(llvm::SelectInst& select) {
  Value* condition = select.getCondition();
  const bool isOfElements = condition->getType()->isVectorTy();
  if (plan_.shapes.of(condition).isUniform() && !isOfElements)
    return scalar(condition);
  return forEachElement(builder_, vector(condition),
                        isOfElements ? 1 : elementsOf(select.getType()));
}

Value* PacketInstructions::emitComparison(llvm::CmpInst& comparison) {
  Value *left = comparison.getOperand(0), *right = comparison.getOperand(1);
  if (isShortId(left) && plan_.shapes.of(right).isUniform())
    return builder_.CreateCmp(comparison.getPredicate(), shortened(left), shortened(right));
  if (isShortId(right) && plan_.shapes.of(left).isUniform())
    return builder_.CreateCmp(comparison.getPredicate(), shortened(left), shortened(right));
  return builder_.CreateCmp(comparison.getPredicate(), vector(left), vector(right));
}

/// Whether `value` is a number of 64 bits that fits 31 of them and rises from one work-item to the
/// next, as ids do.
bool PacketInstructions::isShortId(const Value* value) const {
  const Shape shape = plan_.shapes.of(value);
  return value->getType()->isIntegerTy(64) && shape.isAffine() &&
         std::abs(shape.stride) <= INT16_MAX && plan_.shapes.greatest(value) < INT32_MAX;
}

/// 32 bits of a short id, or of a uniform number that compares to all of them as the whole does.
Value* PacketInstructions::shortened(Value* value) {
  const Shape shape = plan_.shapes.of(value);
  constexpr int64_t least = -1, greatest = INT32_MAX;
  Value* one = scalar(value);
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(one)) {
    one = builder_.getInt64(
        static_cast<uint64_t>(std::clamp(constant->getSExtValue(), least, greatest)));
  } else if (shape.isUniform()) {
    one = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, one, builder_.getInt64(greatest));
    one = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, one,
                                         builder_.getInt64(static_cast<uint64_t>(least)));
  }
  llvm::SmallVector<uint32_t, 64> offsets(plan_.width);
  for (unsigned item = 0; item < plan_.width; ++item)
    offsets[item] = static_cast<uint32_t>(shape.offset(item));
  Value* all =
      builder_.CreateVectorSplat(plan_.width, builder_.CreateTrunc(one, builder_.getInt32Ty()));
  return shape.isUniform()
             ? all
             : builder_.CreateAdd(all,
                                  llvm::ConstantDataVector::get(builder_.getContext(), offsets));
}

Value* PacketInstructions::emitAddress(llvm::GetElementPtrInst& address) {
  const auto operand = [&](Value* value) {
    return plan_.shapes.of(value).isUniform() ? scalar(value) : vector(value);
  };
  Value* base = operand(address.getPointerOperand());
  llvm::SmallVector<Value*> indices;
  for (Value* index : address.indices())
    indices.push_back(operand(index));
  return builder_.CreateGEP(address.getSourceElementType(), base, indices);
}

/// The place of all the packet's work-items.
Value* PacketInstructions::emitVariable(llvm::AllocaInst& variable) {
  llvm::IRBuilder<>::InsertPointGuard guard(builder_);
  llvm::BasicBlock& start = function_.getEntryBlock();
  builder_.SetInsertPoint(&start, start.begin());
  const uint64_t each = llvm::alignTo(
      variable.getAllocationSize(function_.getDataLayout())->getFixedValue(), variable.getAlign());
  llvm::AllocaInst* all =
      builder_.CreateAlloca(llvm::ArrayType::get(builder_.getInt8Ty(), each * plan_.width),
                            variable.getAddressSpace(), nullptr, variable.getName());
  const llvm::Align vector(llvm::bit_floor(
      std::min<uint64_t>(maxAlignment, plan_.shapes.arrays().stride(variable) * plan_.width)));
  all->setAlignment(std::max(variable.getAlign(), vector));
  return all;
}

/// Between two elements of a work-item lie those of the packet's others.
Value* PacketInstructions::emitInterleavedAddress(llvm::GetElementPtrInst& address) {
  const llvm::DataLayout& layout = function_.getDataLayout();
  const bool isVarying = plan_.shapes.of(&address).isVarying();
  Value* base =
      isVarying ? vector(address.getPointerOperand()) : scalar(address.getPointerOperand());
  uint64_t constant = 0;
  for (auto step = llvm::gep_type_begin(address); step != llvm::gep_type_end(address); ++step) {
    if (llvm::StructType* type = step.getStructTypeOrNull()) {
      const auto field = llvm::cast<llvm::ConstantInt>(step.getOperand())->getZExtValue();
      constant += layout.getStructLayout(type)->getElementOffset(field).getFixedValue();
      continue;
    }
    const uint64_t each = step.getSequentialElementStride(layout).getFixedValue();
    if (const auto* index = llvm::dyn_cast<llvm::ConstantInt>(step.getOperand())) {
      constant += each * static_cast<uint64_t>(index->getSExtValue());
      continue;
    }
    Value* index = plan_.shapes.of(step.getOperand()).isUniform() ? scalar(step.getOperand())
                                                                  : vector(step.getOperand());
    llvm::Type* wide = index->getType()->getWithNewBitWidth(64);
    Value* bytes = builder_.CreateMul(builder_.CreateSExtOrTrunc(index, wide),
                                      llvm::ConstantInt::get(wide, each * plan_.width));
    base = builder_.CreateGEP(builder_.getInt8Ty(), base, bytes);
  }
  return constant == 0 ? base
                       : builder_.CreateGEP(builder_.getInt8Ty(), base,
                                            builder_.getInt64(constant * plan_.width));
}

Value* PacketInstructions::emitCall(llvm::CallInst& call) {
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

/// A product or an address of a row of the block, made from that of another row: what a row needs
/// is then little more than an addition, and often part of an address. Null where there is no other
/// row, or no known step.
Value* PacketInstructions::fromOtherRow(llvm::Instruction& instruction) {
  const PacketTile tile = plan_.sharing.tile();
  const unsigned packet = values_.packet(), row = packet / tile.columns;
  if (row == 0 || !(llvm::isa<llvm::GetElementPtrInst>(instruction) ||
                    instruction.getOpcode() == llvm::Instruction::Mul ||
                    instruction.getOpcode() == llvm::Instruction::Shl))
    return nullptr;
  const Shape along = plan_.lanes.of(UniformityRoot::column()).of(&instruction);
  if (!along.isAffine())
    return nullptr;
  const bool isAddress = instruction.getType()->isPointerTy();
  llvm::Type* type = isAddress ? builder_.getInt64Ty() : instruction.getType();
  auto* factor = const_cast<Value*>(along.factor);
  // A factor from before is only sure to be there where what it multiplies is.
  if (factor && (factor->getType() != type || plan_.sharing.varyingDimensions(factor) != 0 ||
                 !shapeOf(factor).isUniform() ||
                 !(llvm::is_contained(instruction.operands(), factor) ||
                   !llvm::isa<llvm::Instruction>(factor))))
    return nullptr;
  const auto number = [&](int64_t value) {
    return llvm::ConstantInt::get(
        type,
        llvm::APInt(64, static_cast<uint64_t>(value)).sextOrTrunc(type->getIntegerBitWidth()));
  };
  setPacket(factor ? packet - tile.columns : packet % tile.columns);
  Value* other = scalar(&instruction);
  setPacket(0);
  Value* distance = factor ? builder_.CreateMul(scalar(factor), number(along.stride))
                           : llvm::cast<Value>(number(along.offset(row)));
  setPacket(packet);
  return isAddress ? builder_.CreatePtrAdd(other, distance) : builder_.CreateAdd(other, distance);
}

} // namespace quern::compiler
