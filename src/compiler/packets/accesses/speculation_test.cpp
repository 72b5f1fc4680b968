#include "compiler/packets/accesses/speculation_test.h"

#include <llvm/IR/MDBuilder.h>

#include "compiler/il/division.h"
#include "compiler/il/rematerialise.h"

namespace quern::compiler {

using llvm::Value;

Value* SpeculationTest::noneWraps() {
  Value* all = nullptr;
  const auto require = [&](Value* holds) { all = all ? builder_.CreateAnd(all, holds) : holds; };
  for (const NoWrapSpeculation::Condition& condition : speculation_.conditions)
    require(holds(condition));
  // One load for all needs a work-item that runs it.
  if (speculation_.stride == 0 && mask())
    require(builder_.CreateOrReduce(mask()));
  return all;
}

Value* SpeculationTest::holds(const NoWrapSpeculation::Condition& condition) {
  switch (condition.kind) {
  case NoWrapSpeculation::Kind::Division:
    return staysInRow(condition);
  case NoWrapSpeculation::Kind::Limit:
    return staysWithin(condition);
  case NoWrapSpeculation::Kind::BitsSet:
  case NoWrapSpeculation::Kind::BitsClear:
    return staysInBits(condition);
  default:
    return staysInRange(condition);
  }
}

/// Whether the numbers of the packet's first work-item and of its last are within the limit, and
/// have all bits: those between are, too.
Value* SpeculationTest::staysWithin(const NoWrapSpeculation::Condition& condition) {
  const auto& limited = llvm::cast<llvm::MinMaxIntrinsic>(*condition.instruction);
  llvm::Type* wide = builder_.getInt64Ty();
  const auto widened = [&](Value* number) {
    return limited.isSigned() ? builder_.CreateSExt(number, wide)
                              : builder_.CreateZExt(number, wide);
  };
  auto* number = const_cast<Value*>(limitedNumber(limited, plan_.shapes));
  Value* limit = scalar(number == limited.getLHS() ? limited.getRHS() : limited.getLHS());
  Value* first = widened(unwrapped(number));
  Value* last = builder_.CreateAdd(
      first, llvm::ConstantInt::getSigned(wide, condition.stride * (int64_t{plan_.width} - 1)));
  const bool isLeast = llvm::ICmpInst::isLT(limited.getPredicate());
  const bool isSigned = limited.isSigned();
  const int64_t least = isSigned ? INT32_MIN : 0, greatest = isSigned ? INT32_MAX : UINT32_MAX;
  Value* ends = llvm::ConstantInt::getSigned(wide, isLeast ? least : greatest);
  const llvm::CmpInst::Predicate within =
      isLeast ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_SGE;
  const llvm::CmpInst::Predicate beyond = llvm::CmpInst::getSwappedPredicate(within);
  Value* holds = nullptr;
  for (Value* number64 : {first, last}) {
    Value* both = builder_.CreateAnd(builder_.CreateICmp(within, number64, widened(limit)),
                                     builder_.CreateICmp(beyond, number64, ends));
    holds = holds ? builder_.CreateAnd(holds, both) : both;
  }
  return holds;
}

/// Whether the operand of a conversion is in order from the packet's first work-item to its last.
Value* SpeculationTest::staysInRange(const NoWrapSpeculation::Condition& condition) {
  const bool isSigned = condition.kind != NoWrapSpeculation::Kind::Unsigned;
  const int64_t span = condition.stride * (plan_.width - 1);
  Value* operand = unwrapped(condition.instruction->getOperand(0));
  if (condition.kind == NoWrapSpeculation::Kind::UpperHalf)
    operand = builder_.CreateLShr(operand, 32);
  Value* first = builder_.CreateTrunc(operand, builder_.getInt32Ty());
  const int64_t least = isSigned ? INT32_MIN : 0, greatest = isSigned ? INT32_MAX : UINT32_MAX;
  const auto number = [&](int64_t value) {
    return builder_.getInt32(static_cast<uint32_t>(value));
  };
  using llvm::CmpInst;
  if (span > 0)
    return builder_.CreateICmp(isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE, first,
                               number(greatest - span));
  return builder_.CreateICmp(isSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE, first,
                             number(least - span));
}

/// Whether the packet ends before what is divided reaches the next multiple of the divisor.
Value* SpeculationTest::staysInRow(const NoWrapSpeculation::Condition& condition) {
  const llvm::Instruction& division = *condition.instruction;
  const auto span = static_cast<uint64_t>(condition.stride) * (plan_.width - 1);
  Value* first = unwrapped(division.getOperand(0));
  llvm::Type* type = first->getType();
  const auto number = [&](uint64_t value) { return llvm::ConstantInt::get(type, value); };
  if (division.isShift() && !llvm::isa<llvm::ConstantInt>(division.getOperand(1))) {
    // What comes from work-items that do not run this may be too far.
    Value* bits = builder_.CreateBinaryIntrinsic(
        llvm::Intrinsic::umin, builder_.CreateFreeze(scalar(division.getOperand(1))),
        number(type->getIntegerBitWidth() - 1));
    Value* mask = builder_.CreateSub(builder_.CreateShl(number(1), bits), number(1));
    return staysWithinMask(builder_.CreateFreeze(first), mask, static_cast<int64_t>(span));
  }
  if (!division.isIntDivRem()) {
    const llvm::APInt& constant = llvm::cast<llvm::ConstantInt>(division.getOperand(1))->getValue();
    const uint64_t mask = division.getOpcode() == llvm::Instruction::And
                              ? constant.getZExtValue()
                              : llvm::maskTrailingOnes<uint64_t>(constant.getZExtValue());
    return builder_.CreateICmpULE(builder_.CreateAnd(first, number(mask)), number(mask - span));
  }
  const bool isSigned = isSignedDivision(division.getOpcode());
  Value* divisor = positive(scalar(division.getOperand(1)));
  Value* left = builder_.CreateSub(divisor, builder_.CreateURem(first, divisor));
  Value* ends = builder_.CreateICmpUGT(left, number(span));
  const uint64_t greatest =
      llvm::maskTrailingOnes<uint64_t>(type->getIntegerBitWidth() - (isSigned ? 1 : 0));
  ends = builder_.CreateAnd(ends, builder_.CreateICmpULE(first, number(greatest - span)));
  return isSigned ? builder_.CreateAnd(ends, builder_.CreateICmpSGT(divisor, number(0))) : ends;
}

/// Whether the packet's numbers differ in the lowest bits alone, for which the other operand's are
/// as they must be. What comes from work-items that do not run this may be anything.
Value* SpeculationTest::staysInBits(const NoWrapSpeculation::Condition& condition) {
  const auto operand = [&](unsigned index) {
    return builder_.CreateFreeze(unwrapped(condition.instruction->getOperand(index)));
  };
  Value* first = operand(condition.operand);
  Value* bits = operand(1 - condition.operand);
  if (condition.kind == NoWrapSpeculation::Kind::BitsClear)
    bits = builder_.CreateNot(bits);
  Value* above = builder_.CreateAdd(bits, llvm::ConstantInt::get(bits->getType(), 1));
  Value* lowest = builder_.CreateAnd(bits, builder_.CreateNot(above));
  return staysWithinMask(first, lowest, condition.stride * (int64_t{plan_.width} - 1));
}

/// Whether numbers from `first` on, `span` from it to the packet's last one, only differ in the
/// lowest bits, which `mask` has.
Value* SpeculationTest::staysWithinMask(Value* first, Value* mask, int64_t span) {
  Value* start = builder_.CreateAnd(first, mask);
  Value* room = span < 0 ? start : builder_.CreateSub(mask, start);
  return builder_.CreateICmpUGE(
      room, llvm::ConstantInt::get(first->getType(), static_cast<uint64_t>(std::abs(span))));
}

/// A divisor that may come from work-items that do not run this.
Value* SpeculationTest::positive(Value* divisor) {
  if (llvm::isa<llvm::ConstantInt>(divisor))
    return divisor;
  return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, divisor,
                                        llvm::ConstantInt::get(divisor->getType(), 1));
}

Value* SpeculationTest::unwrapped(Value* value) {
  return rematerialise(builder_, value, [this](Value* part) -> Value* {
    if (!shapeOf(part).isVarying())
      return scalar(part);
    // A number that is one for all work-items may be beyond the limit: no condition forbids it.
    if (const auto* limited = llvm::dyn_cast<llvm::MinMaxIntrinsic>(part))
      if (const Value* number = limitedNumber(*limited, plan_.shapes))
        return builder_.CreateBinaryIntrinsic(
            limited->getIntrinsicID(), unwrapped(const_cast<Value*>(number)),
            scalar(number == limited->getLHS() ? limited->getRHS() : limited->getLHS()));
    auto* division = llvm::dyn_cast<llvm::Instruction>(part);
    if (!division || !division->isIntDivRem())
      return nullptr;
    return builder_.CreateBinOp(unsignedForm(division->getOpcode()),
                                unwrapped(division->getOperand(0)),
                                positive(scalar(division->getOperand(1))));
  });
}

SpeculationTest::Vectors SpeculationTest::either(Value* condition,
                                                 llvm::function_ref<Vectors()> ifTrue,
                                                 llvm::function_ref<Vectors()> ifFalse) {
  const auto newBlock = [&](const char* name) {
    return llvm::BasicBlock::Create(builder_.getContext(), name, &function_);
  };
  llvm::BasicBlock *together = newBlock("together"), *each = newBlock("each"),
                   *done = newBlock("access.done");
  builder_.CreateCondBr(condition, together, each,
                        llvm::MDBuilder(builder_.getContext()).createLikelyBranchWeights());
  builder_.SetInsertPoint(together);
  const Vectors first = ifTrue();
  together = builder_.GetInsertBlock();
  builder_.CreateBr(done);
  builder_.SetInsertPoint(each);
  const Vectors second = ifFalse();
  each = builder_.GetInsertBlock();
  builder_.CreateBr(done);
  builder_.SetInsertPoint(done);
  Vectors results;
  for (const auto& [one, other] : llvm::zip_equal(first, second)) {
    llvm::PHINode* result = builder_.CreatePHI(one->getType(), 2);
    result->addIncoming(one, together);
    result->addIncoming(other, each);
    results.push_back(result);
  }
  return results;
}

} // namespace quern::compiler
