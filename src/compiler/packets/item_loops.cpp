// What the work-items of a packet do one after the other, and what they do as one.
#include <limits>

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/codegen/loop_properties.h"
#include "compiler/il/atomic_operations.h"
#include "compiler/packets/item_loops.h"

namespace quern::compiler {

using llvm::Value;

namespace {

/// Iterations of a loop over work-items that LLVM makes one.
constexpr unsigned itemsInRow = 8;

bool isLaidOutByItem(const Value* operand) {
  return operand->getType()->isPointerTy() || operand->getType()->isIntegerTy();
}

} // namespace

/// What each work-item has in the place of `operand`, for loops over work-items. In atomic and
/// volatile accesses vectors go by way of the stack: an address that comes out of a vector register
/// is known so late that the processor guesses which of the stores before changes what is loaded.
/// Where it guesses wrong, which depends on the lengths of the instructions, an access takes ten
/// times as long (Zen 4). A volatile store is what LLVM does not turn into such a register again.
ItemLoops::OfItem ItemLoops::operandOfItem(const llvm::Instruction& user, unsigned number,
                                           Value* operand) {
  const Shape shape = plan_.shapes.of(operand);
  if (llvm::isa<llvm::Constant>(operand) || shape.isUniform()) {
    Value* same = llvm::isa<llvm::Constant>(operand) ? operand : scalar(operand);
    return [same](Value*) { return same; };
  }
  if (llvm::isa<llvm::CallInst>(user)) {
    Value* own = vector(operand);
    return [this, own](Value* item) { return builder_.CreateExtractElement(own, item); };
  }
  if (shape.isAffine() && isLaidOutByItem(operand)) {
    Value* first = scalar(operand);
    return [this, first, shape](Value* item) {
      Value* apart = builder_.CreateMul(item, builder_.getInt64(shape.stride));
      return first->getType()->isPointerTy()
                 ? builder_.CreateGEP(builder_.getInt8Ty(), first, apart)
                 : builder_.CreateAdd(first, builder_.CreateZExtOrTrunc(apart, first->getType()));
    };
  }
  const auto* here = llvm::dyn_cast<llvm::Instruction>(operand);
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(operand);
      address && here->getParent() == user.getParent() && address->getNumIndices() == 1 &&
      !plan_.shapes.arrays().isInterleaved(address) &&
      plan_.shapes.of(address->getPointerOperand()).isUniform()) {
    Value* base = scalar(address->getOperand(0));
    OfItem index = operandOfItem(user, number, address->getOperand(1));
    return [this, base, index, type = address->getSourceElementType()](Value* item) {
      return builder_.CreateGEP(type, base, index(item));
    };
  }
  if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(operand) && here->getParent() == user.getParent() &&
      here->getOperand(0)->getType()->getScalarSizeInBits() >= 8) {
    OfItem narrow = operandOfItem(user, number, here->getOperand(0));
    return [this, narrow, wide = llvm::cast<llvm::CastInst>(here)](Value* item) {
      return builder_.CreateCast(wide->getOpcode(), narrow(item), wide->getType());
    };
  }
  Value* own = vector(operand);
  llvm::AllocaInst* memory = values_.scratchOf(own->getType(), number);
  builder_.CreateStore(own, memory, /*isVolatile=*/true);
  return [this, memory, type = operand->getType()](Value* item) {
    return builder_.CreateLoad(type, builder_.CreateInBoundsGEP(type, memory, item),
                               /*isVolatile=*/true);
  };
}

void ItemLoops::emit(llvm::Instruction& instruction) {
  if (Value* results = emitOneByOne(instruction))
    values_.define(instruction, results);
}

/// What the work-items get; null where that is nothing.
Value* ItemLoops::emitOneByOne(llvm::Instruction& instruction) {
  std::vector<OfItem> operands;
  for (unsigned i = 0; i < instruction.getNumOperands(); ++i)
    operands.push_back(operandOfItem(instruction, i, instruction.getOperand(i)));
  const auto emitFor = [&](Value* item) {
    llvm::Instruction* own = instruction.clone();
    for (unsigned i = 0; i < operands.size(); ++i)
      own->setOperand(i, operands[i](item));
    return builder_.Insert(own, instruction.getName());
  };
  if (mask() || !instruction.use_empty() || llvm::isa<llvm::CallInst>(instruction))
    return emitActiveItems(instruction, emitFor);
  emitAllItems(emitFor);
  return nullptr;
}

/// A loop over all work-items of the packet.
void ItemLoops::emitAllItems(llvm::function_ref<llvm::Value*(llvm::Value*)> emitFor) {
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  auto* each = llvm::BasicBlock::Create(builder_.getContext(), "each.item", &function_);
  auto* done = llvm::BasicBlock::Create(builder_.getContext(), "each.item.done", &function_);
  builder_.CreateBr(each);
  builder_.SetInsertPoint(each);
  llvm::PHINode* item = builder_.CreatePHI(builder_.getInt64Ty(), 2, "item");
  emitFor(item);
  Value* next = builder_.CreateNUWAdd(item, builder_.getInt64(1), "item.next");
  builder_.CreateCondBr(builder_.CreateICmpULT(next, builder_.getInt64(plan_.width)), each, done)
      ->setMetadata(llvm::LLVMContext::MD_loop,
                    packetItemsProperties(builder_.getContext(), itemsInRow));
  item->addIncoming(builder_.getInt64(0), before);
  item->addIncoming(next, each);
  builder_.SetInsertPoint(done);
}

/// A loop over the bits of the mask, from the lowest on. It is left at once where there is none.
Value* ItemLoops::emitActiveItems(llvm::Instruction& instruction,
                                  llvm::function_ref<llvm::Value*(llvm::Value*)> emitFor) {
  llvm::Type* bitsType = builder_.getIntNTy(plan_.width);
  Value* all = builder_.CreateBitCast(values_.maskOrAll(), bitsType);
  const bool hasValue = !instruction.use_empty();
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
  Value* own = emitFor(lane);
  Value* following = hasValue ? builder_.CreateInsertElement(values, own, lane) : nullptr;
  Value* left =
      builder_.CreateAnd(bits, builder_.CreateSub(bits, llvm::ConstantInt::get(bitsType, 1)));
  builder_.CreateCondBr(builder_.CreateICmpNE(left, zero), each, done)
      ->setMetadata(llvm::LLVMContext::MD_loop, packetItemsProperties(builder_.getContext(), 0));
  bits->addIncoming(all, before);
  bits->addIncoming(left, each);

  builder_.SetInsertPoint(done);
  if (!hasValue)
    return nullptr;
  values->addIncoming(none, before);
  values->addIncoming(following, each);
  llvm::PHINode* result = builder_.CreatePHI(none->getType(), 2, instruction.getName());
  result->addIncoming(none, before);
  result->addIncoming(following, each);
  return result;
}

void ItemLoops::emitCombined(llvm::Instruction& instruction) {
  if (auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    emitCombinedAtomic(*atomic);
  else
    emitCombinedReservation(llvm::cast<llvm::CallInst>(instruction));
}

/// One operation with what the work-items' operands make together. Each gets what it would if they
/// came one after the other.
void ItemLoops::emitCombinedAtomic(llvm::AtomicRMWInst& atomic) {
  const Associative operation = *joiningOf(atomic.getOperation());
  llvm::VectorType* type = vectorType(atomic.getType());
  llvm::Constant* nothing = neutral(operation, type);
  Value* operands = vector(atomic.getValOperand());
  if (mask())
    operands = builder_.CreateSelect(mask(), operands, nothing);
  Value* sums = joinedUpTo(builder_, operation, operands, nothing);
  Value* sum = builder_.CreateExtractElement(sums, uint64_t{plan_.width - 1});
  Value* pointer = scalar(atomic.getPointerOperand()); // here, for what else uses it

  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* done = nullptr;
  if (mask()) {
    auto* some = llvm::BasicBlock::Create(builder_.getContext(), "atomic", &function_);
    done = llvm::BasicBlock::Create(builder_.getContext(), "atomic.done", &function_);
    builder_.CreateCondBr(builder_.CreateOrReduce(mask()), some, done);
    builder_.SetInsertPoint(some);
  }
  auto* one = llvm::cast<llvm::AtomicRMWInst>(atomic.clone());
  one->setOperand(0, pointer);
  one->setOperand(1, sum);
  builder_.Insert(one, atomic.getName());
  Value* old = one;
  if (mask()) {
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
  Value* earlier = movedUp(builder_, sums, 1, nothing);
  values_.define(atomic, atomic.getOperation() == llvm::AtomicRMWInst::Sub
                             ? builder_.CreateSub(base, earlier)
                             : joined(builder_, operation, base, earlier));
}

/// One reservation (names::reservationPrefix) of what the work-items want together, of which each
/// gets its part, in their order. Where so much cannot be had, each tries for itself.
void ItemLoops::emitCombinedReservation(llvm::CallInst& call) {
  constexpr uint64_t most = std::numeric_limits<uint32_t>::max();
  llvm::VectorType* type = vectorType(call.getType());
  llvm::Constant* nothing = llvm::Constant::getNullValue(type);
  Value* wanted = builder_.CreateZExt(vector(call.getArgOperand(1)), type);
  if (mask())
    wanted = builder_.CreateSelect(mask(), wanted, nothing);
  Value* sums = joinedUpTo(builder_, Associative::Add, wanted, nothing);
  Value* sum = builder_.CreateBinaryIntrinsic(
      llvm::Intrinsic::umin, builder_.CreateExtractElement(sums, uint64_t{plan_.width - 1}),
      builder_.getInt64(most));
  auto* together = llvm::cast<llvm::CallInst>(call.clone());
  together->setArgOperand(0, scalar(call.getArgOperand(0)));
  together->setArgOperand(1, builder_.CreateTrunc(sum, call.getArgOperand(1)->getType()));
  builder_.Insert(together, call.getName());
  Value* first = builder_.CreateVectorSplat(plan_.width, builder_.CreateAnd(together, most));
  Value* parts = builder_.CreateOr(builder_.CreateShl(wanted, 32),
                                   builder_.CreateAdd(first, movedUp(builder_, sums, 1, nothing)));
  parts = builder_.CreateSelect(builder_.CreateICmpEQ(wanted, nothing), nothing, parts);

  llvm::BasicBlock* before = builder_.GetInsertBlock();
  auto* alone = llvm::BasicBlock::Create(builder_.getContext(), "reserve.alone", &function_);
  auto* done = llvm::BasicBlock::Create(builder_.getContext(), "reserve.done", &function_);
  builder_.CreateCondBr(builder_.CreateIsNull(together), alone, done);
  builder_.SetInsertPoint(alone);
  Value* own = emitOneByOne(call);
  alone = builder_.GetInsertBlock();
  builder_.CreateBr(done);
  builder_.SetInsertPoint(done);
  if (!own)
    return;
  llvm::PHINode* result = builder_.CreatePHI(type, 2, call.getName());
  result->addIncoming(parts, before);
  result->addIncoming(own, alone);
  values_.define(call, result);
}

} // namespace quern::compiler
