// What the work-items of a packet do one after the other, and atomic operations that they do as
// one.
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/packets/each_item.h"
#include "compiler/packets/packet_values.h"

namespace quern::compiler {

using llvm::Value;

namespace {

using Operation = llvm::AtomicRMWInst::BinOp;

/// What joins the operands of several work-items; for a subtraction their sum is subtracted.
Value* joined(llvm::IRBuilder<>& builder, Operation operation, Value* a, Value* b) {
  switch (operation) {
  case Operation::And:
    return builder.CreateAnd(a, b);
  case Operation::Or:
    return builder.CreateOr(a, b);
  case Operation::Xor:
    return builder.CreateXor(a, b);
  case Operation::Max:
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b);
  case Operation::Min:
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b);
  case Operation::UMax:
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, a, b);
  case Operation::UMin:
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, b);
  default:
    return builder.CreateAdd(a, b);
  }
}

/// The operand that changes nothing.
llvm::Constant* neutral(Operation operation, llvm::Type* type) {
  const unsigned bits = type->getScalarSizeInBits();
  switch (operation) {
  case Operation::And:
  case Operation::UMin:
    return llvm::Constant::getAllOnesValue(type);
  case Operation::Max:
    return llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits));
  case Operation::Min:
    return llvm::ConstantInt::get(type, llvm::APInt::getSignedMaxValue(bits));
  default:
    return llvm::Constant::getNullValue(type);
  }
}

} // namespace

/// A loop over the bits of the mask, from the lowest on. It is left at once where there is none.
void PacketValues::emitEachItem(llvm::Instruction& instruction) {
  const auto isOwn = [&](Value* operand) { return !plan_.shapes.of(operand).isUniform(); };
  llvm::SmallVector<Value*> operands;
  for (Value* operand : instruction.operands())
    operands.push_back(llvm::isa<llvm::Constant>(operand) ? operand
                       : isOwn(operand)                   ? vector(operand)
                                                          : scalar(operand));
  llvm::Type* bitsType = builder_.getIntNTy(plan_.width);
  Value* all = builder_.CreateBitCast(maskOrAll(), bitsType);
  const bool hasValue = !instruction.getType()->isVoidTy();
  Value* none = hasValue ? llvm::PoisonValue::get(vectorType(instruction.getType())) : nullptr;

  llvm::BasicBlock* before = builder_.GetInsertBlock();
  const auto newBlock = [&](const char* name) {
    return llvm::BasicBlock::Create(builder_.getContext(), name, &function_);
  };
  llvm::BasicBlock *each = newBlock("each.item"), *done = newBlock("each.item.done");
  Value* zero = llvm::ConstantInt::get(bitsType, 0);
  builder_.CreateCondBr(builder_.CreateICmpNE(all, zero), each, done);

  builder_.SetInsertPoint(each);
  llvm::PHINode* bits = builder_.CreatePHI(bitsType, 2, "items");
  llvm::PHINode* values = hasValue ? builder_.CreatePHI(none->getType(), 2) : nullptr;
  Value* lane = builder_.CreateZExtOrTrunc(
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, builder_.getTrue()),
      builder_.getInt64Ty(), "item");
  llvm::Instruction* own = instruction.clone();
  for (unsigned i = 0; i < operands.size(); ++i)
    own->setOperand(i, isOwn(instruction.getOperand(i))
                           ? builder_.CreateExtractElement(operands[i], lane)
                           : operands[i]);
  builder_.Insert(own, instruction.getName());
  Value* following = hasValue ? builder_.CreateInsertElement(values, own, lane) : nullptr;
  Value* left =
      builder_.CreateAnd(bits, builder_.CreateSub(bits, llvm::ConstantInt::get(bitsType, 1)));
  builder_.CreateCondBr(builder_.CreateICmpNE(left, zero), each, done);
  bits->addIncoming(all, before);
  bits->addIncoming(left, each);

  builder_.SetInsertPoint(done);
  if (!hasValue)
    return;
  values->addIncoming(none, before);
  values->addIncoming(following, each);
  llvm::PHINode* result = builder_.CreatePHI(none->getType(), 2, instruction.getName());
  result->addIncoming(none, before);
  result->addIncoming(following, each);
  define(instruction, result);
}

/// One operation with what the work-items' operands make together. Each gets what it would if they
/// came one after the other.
void PacketValues::emitCombined(llvm::AtomicRMWInst& atomic) {
  const Operation operation = atomic.getOperation();
  llvm::VectorType* type = vectorType(atomic.getType());
  llvm::Constant* nothing = neutral(operation, type);
  Value* operands = vector(atomic.getValOperand());
  if (mask_)
    operands = builder_.CreateSelect(mask_, operands, nothing);
  const auto shifted = [&](Value* from, unsigned lanes) {
    llvm::SmallVector<int, 16> indices;
    for (unsigned i = 0; i < plan_.width; ++i)
      indices.push_back(i < lanes ? int(plan_.width + i) : int(i - lanes));
    return builder_.CreateShuffleVector(from, nothing, indices);
  };
  // Up to and with each work-item's own operand.
  Value* sums = operands;
  for (unsigned lanes = 1; lanes < plan_.width; lanes *= 2)
    sums = joined(builder_, operation, sums, shifted(sums, lanes));
  Value* sum = builder_.CreateExtractElement(sums, uint64_t{plan_.width - 1});
  Value* pointer = scalar(atomic.getPointerOperand()); // here, for what else uses it

  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* done = nullptr;
  if (mask_) {
    auto* some = llvm::BasicBlock::Create(builder_.getContext(), "atomic", &function_);
    done = llvm::BasicBlock::Create(builder_.getContext(), "atomic.done", &function_);
    builder_.CreateCondBr(builder_.CreateOrReduce(mask_), some, done);
    builder_.SetInsertPoint(some);
  }
  auto* one = llvm::cast<llvm::AtomicRMWInst>(atomic.clone());
  one->setOperand(0, pointer);
  one->setOperand(1, sum);
  builder_.Insert(one, atomic.getName());
  Value* old = one;
  if (mask_) {
    llvm::BasicBlock* some = builder_.GetInsertBlock();
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
    llvm::PHINode* either = builder_.CreatePHI(atomic.getType(), 2);
    either->addIncoming(llvm::PoisonValue::get(atomic.getType()), before);
    either->addIncoming(one, some);
    old = either;
  }
  if (atomic.use_empty())
    return;
  Value* base = builder_.CreateVectorSplat(plan_.width, old);
  Value* earlier = shifted(sums, 1);
  define(atomic, operation == Operation::Sub ? builder_.CreateSub(base, earlier)
                                             : joined(builder_, operation, base, earlier));
}

} // namespace quern::compiler
