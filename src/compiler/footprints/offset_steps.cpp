#include "compiler/footprints/offset_steps.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "abi/cpu_kernel.h"
#include "compiler/il/kernel_function.h"

namespace quern::compiler {

using abi::FootprintOperation;
using abi::FootprintStep;
using enum abi::FootprintOperation;
using namespace llvm::PatternMatch;

namespace {

/// What a launch knows as one number.
bool isOfLaunch(const llvm::Value* value) {
  if (llvm::isa<llvm::Constant>(value))
    return true;
  const auto* argument = llvm::dyn_cast<llvm::Argument>(value);
  return argument && argument->getArgNo() < kernelArgumentCount(*argument->getParent());
}

bool isNumber(const llvm::Type* type) {
  return type->isIntegerTy() && type->getIntegerBitWidth() <= 64;
}

FootprintStep step(FootprintOperation operation, unsigned bits, int64_t value = 0) {
  return {operation, static_cast<uint8_t>(bits), value};
}

FootprintStep anyOf(const llvm::Type* type) {
  return step(Any, isNumber(type) ? type->getIntegerBitWidth() : 64);
}

FootprintOperation operationOf(llvm::Instruction::BinaryOps opcode) {
  switch (opcode) {
  case llvm::Instruction::Add:
    return Add;
  case llvm::Instruction::Sub:
    return Subtract;
  case llvm::Instruction::Mul:
    return Multiply;
  case llvm::Instruction::UDiv:
    return DivideUnsigned;
  case llvm::Instruction::SDiv:
    return DivideSigned;
  case llvm::Instruction::URem:
    return RemainderUnsigned;
  case llvm::Instruction::SRem:
    return RemainderSigned;
  case llvm::Instruction::And:
    return And;
  case llvm::Instruction::Shl:
    return ShiftLeft;
  case llvm::Instruction::LShr:
    return ShiftRightLogical;
  case llvm::Instruction::AShr:
    return ShiftRightArithmetic;
  default:
    return Any;
  }
}

FootprintOperation operationOf(llvm::Intrinsic::ID intrinsic) {
  switch (intrinsic) {
  case llvm::Intrinsic::smin:
    return LeastSigned;
  case llvm::Intrinsic::smax:
    return GreatestSigned;
  case llvm::Intrinsic::umin:
    return LeastUnsigned;
  case llvm::Intrinsic::umax:
    return GreatestUnsigned;
  default:
    return Any;
  }
}

/// What a field of abi::LaunchInfo is; `Any` for none.
FootprintStep launchField(uint64_t offset) {
  struct Triple {
    uint64_t begin;
    FootprintOperation operation;
  };
  static constexpr Triple triples[] = {{offsetof(abi::LaunchInfo, globalOffset), Offset},
                                       {offsetof(abi::LaunchInfo, globalSize), GlobalSize},
                                       {offsetof(abi::LaunchInfo, localSize), LocalSize},
                                       {offsetof(abi::LaunchInfo, groupCount), GroupCount}};
  for (const Triple& triple : triples)
    if (offset >= triple.begin && offset < triple.begin + 3 * sizeof(uint64_t) && offset % 8 == 0)
      return step(triple.operation, 64, static_cast<int64_t>((offset - triple.begin) / 8));
  return step(offset == offsetof(abi::LaunchInfo, workDim) ? WorkDim : Any, 64);
}

} // namespace

OffsetSteps::OffsetSteps(llvm::Function& item, const llvm::LoopInfo& loops,
                         llvm::ScalarEvolution& evolution)
    : item_(item), loops_(loops), evolution_(evolution), isIrreducible_([&] {
        const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&item);
        return llvm::containsIrreducibleCFG<const llvm::BasicBlock*>(order, loops);
      }()) {}

template <typename... Operands>
void OffsetSteps::appendOperation(Steps& steps, FootprintOperation operation, unsigned bits,
                                  Operands... operands) {
  (append(steps, operands), ...);
  steps.push_back(step(operation, bits));
}

void OffsetSteps::append(Steps& steps, const llvm::Value* value) {
  if (!isNumber(value->getType()) || depth_ >= mostDepth || isTooLong(steps)) {
    steps.push_back(anyOf(value->getType()));
    return;
  }
  ++depth_;
  appendMade(steps, value);
  if (!isLimiting_)
    appendLimits(steps, value);
  --depth_;
}

void OffsetSteps::appendMade(Steps& steps, const llvm::Value* value) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value)) {
    steps.push_back(step(Constant, constant->getBitWidth(), constant->getSExtValue()));
    return;
  }
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value))
    return appendArgument(steps, *argument);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value))
    return appendLoad(steps, *load);
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(value))
    return appendSelect(steps, *select);
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(value))
    return appendPhi(steps, *phi);
  if (const auto* frozen = llvm::dyn_cast<llvm::FreezeInst>(value))
    return append(steps, frozen->getOperand(0));
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(value);
      binary && appendBinary(steps, *binary))
    return;
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value); cast && appendCast(steps, *cast))
    return;
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(value); call && appendCall(steps, *call))
    return;
  if (const auto* element = llvm::dyn_cast<llvm::ExtractElementInst>(value))
    if (const auto* index = llvm::dyn_cast<llvm::ConstantInt>(element->getIndexOperand()))
      if (const llvm::Value* scalar =
              llvm::findScalarElement(const_cast<llvm::Value*>(element->getVectorOperand()),
                                      static_cast<unsigned>(index->getZExtValue())))
        return append(steps, scalar);
  steps.push_back(anyOf(value->getType()));
}

void OffsetSteps::appendArgument(Steps& steps, const llvm::Argument& argument) {
  const unsigned own = kernelArgumentCount(item_), index = argument.getArgNo();
  const unsigned bits = argument.getType()->getIntegerBitWidth();
  if (index < own) {
    steps.push_back(bits % 8 == 0 ? step(Argument, bits, index) : step(Any, bits));
    return;
  }
  const auto triple = [&](ImplicitArgument first, FootprintOperation operation) {
    const unsigned begin = own + static_cast<unsigned>(first);
    if (index < begin || index >= begin + 3)
      return false;
    steps.push_back(step(operation, bits, index - begin));
    return true;
  };
  if (!triple(ImplicitArgument::Group, Group) && !triple(ImplicitArgument::Size, Size) &&
      !triple(ImplicitArgument::First, First) && !triple(ImplicitArgument::Item, Item))
    steps.push_back(step(Any, bits));
}

/// Of what is known of the launch, and of structures that are passed by value.
void OffsetSteps::appendLoad(Steps& steps, const llvm::LoadInst& load) {
  const unsigned bits = load.getType()->getIntegerBitWidth();
  llvm::APInt offset(64, 0);
  const auto* base = llvm::dyn_cast<llvm::Argument>(
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(item_.getDataLayout(), offset,
                                                                  /*AllowNonInbounds=*/true));
  FootprintStep field = step(Any, bits);
  if (base == implicitArgument(item_, ImplicitArgument::Launch) && offset.ult(4096)) {
    field = launchField(offset.getZExtValue());
    if (field.bits != bits)
      field = step(Any, bits);
  } else if (base && base->getArgNo() < kernelArgumentCount(item_) &&
             base->getType()->getPointerAddressSpace() == 0 && bits % 8 == 0 &&
             offset.ult(1 << 16)) {
    field =
        step(Argument, bits, static_cast<int64_t>(offset.getZExtValue() << 16) | base->getArgNo());
  }
  steps.push_back(field);
}

bool OffsetSteps::appendBinary(Steps& steps, const llvm::BinaryOperator& operation) {
  const unsigned bits = operation.getType()->getIntegerBitWidth();
  if (appendShiftPair(steps, operation))
    return true;
  const llvm::Value *a = operation.getOperand(0), *b = operation.getOperand(1);
  const llvm::Value* inverted = nullptr;
  if (match(&operation, m_Not(m_Value(inverted)))) {
    steps.push_back(step(Constant, bits, -1));
    append(steps, inverted);
    steps.push_back(step(Subtract, bits));
    return true;
  }
  // The quotient times the divisor and the remainder.
  const llvm::Value *number = nullptr, *divisor = nullptr;
  if (match(&operation,
            m_c_Add(m_c_Mul(m_UDiv(m_Value(number), m_Value(divisor)), m_Deferred(divisor)),
                    m_URem(m_Deferred(number), m_Deferred(divisor)))) ||
      match(&operation,
            m_c_Add(m_c_Mul(m_SDiv(m_Value(number), m_Value(divisor)), m_Deferred(divisor)),
                    m_SRem(m_Deferred(number), m_Deferred(divisor))))) {
    append(steps, number);
    return true;
  }
  FootprintOperation made = operationOf(operation.getOpcode());
  if (const auto* joined = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&operation);
      joined && joined->isDisjoint())
    made = Add;
  if (made == Any)
    return false;
  appendOperation(steps, made, bits, a, b);
  return true;
}

/// A number that is made smaller and larger again in its place is converted.
bool OffsetSteps::appendShiftPair(Steps& steps, const llvm::BinaryOperator& operation) {
  const unsigned bits = operation.getType()->getIntegerBitWidth();
  const llvm::Value* number = nullptr;
  uint64_t up = 0, down = 0;
  if (!match(&operation, m_Shr(m_Shl(m_Value(number), m_ConstantInt(up)), m_ConstantInt(down))) ||
      up >= bits || down > up || up == 0)
    return false;
  const auto narrow = static_cast<unsigned>(bits - up);
  append(steps, number);
  steps.push_back(step(Truncate, narrow));
  if (operation.getOpcode() == llvm::Instruction::LShr)
    steps.push_back(step(ZeroExtend, bits, narrow));
  if (up != down) {
    steps.push_back(step(Constant, bits, static_cast<int64_t>(up - down)));
    steps.push_back(step(ShiftLeft, bits));
  }
  return true;
}

bool OffsetSteps::appendCast(Steps& steps, const llvm::CastInst& cast) {
  const llvm::Type* from = cast.getSrcTy();
  if (!isNumber(from))
    return false;
  const unsigned bits = cast.getType()->getIntegerBitWidth();
  switch (cast.getOpcode()) {
  case llvm::Instruction::Trunc:
    append(steps, cast.getOperand(0));
    steps.push_back(step(Truncate, bits));
    return true;
  case llvm::Instruction::ZExt:
    append(steps, cast.getOperand(0));
    steps.push_back(step(ZeroExtend, bits, from->getIntegerBitWidth()));
    return true;
  case llvm::Instruction::SExt:
    append(steps, cast.getOperand(0));
    return true;
  default:
    return false;
  }
}

bool OffsetSteps::appendCall(Steps& steps, const llvm::CallInst& call) {
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
  const FootprintOperation made =
      intrinsic ? operationOf(intrinsic->getIntrinsicID()) : FootprintOperation::Any;
  if (made == Any)
    return false;
  appendOperation(steps, made, call.getType()->getIntegerBitWidth(),
                  static_cast<const llvm::Value*>(call.getArgOperand(0)),
                  static_cast<const llvm::Value*>(call.getArgOperand(1)));
  return true;
}

void OffsetSteps::appendSelect(Steps& steps, const llvm::SelectInst& select) {
  const unsigned bits = select.getType()->getIntegerBitWidth();
  append(steps, select.getTrueValue());
  append(steps, select.getFalseValue());
  steps.push_back(step(Either, bits));
}

void OffsetSteps::appendPhi(Steps& steps, const llvm::PHINode& phi) {
  if (isIrreducible_ || !open_.insert(&phi).second) {
    steps.push_back(anyOf(phi.getType()));
    return;
  }
  if (!appendCounter(steps, phi)) {
    bool isFirst = true;
    for (const llvm::Value* incoming : phi.incoming_values()) {
      append(steps, incoming);
      if (!isFirst)
        steps.push_back(step(Either, phi.getType()->getIntegerBitWidth()));
      isFirst = false;
    }
  }
  open_.erase(&phi);
}

bool OffsetSteps::appendCounter(Steps& steps, const llvm::PHINode& phi) {
  const llvm::Loop* loop = loops_.getLoopFor(phi.getParent());
  if (!loop || loop->getHeader() != phi.getParent())
    return false;
  const auto* recurrence =
      llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(const_cast<llvm::PHINode*>(&phi)));
  if (recurrence && recurrence->getLoop() == loop)
    appendRecurrence(steps, *recurrence);
  else
    steps.push_back(anyOf(phi.getType()));
  return true;
}

void OffsetSteps::appendRecurrence(Steps& steps, const llvm::SCEVAddRecExpr& recurrence) {
  const auto bits = static_cast<unsigned>(evolution_.getTypeSizeInBits(recurrence.getType()));
  const llvm::Loop* loop = recurrence.getLoop();
  const llvm::SCEV* count = evolution_.getSymbolicMaxBackedgeTakenCount(loop);
  const llvm::SCEV* increment = recurrence.getStepRecurrence(evolution_);
  if (recurrence.isAffine() && !llvm::isa<llvm::SCEVCouldNotCompute>(count)) {
    append(steps, recurrence.getStart());
    append(steps, increment);
    append(steps, evolution_.applyLoopGuards(count, loop));
    steps.push_back(step(UpTo, bits));
    steps.push_back(step(Multiply, bits));
    steps.push_back(step(Add, bits));
  } else if (recurrence.isAffine() && recurrence.hasNoSignedWrap() &&
             evolution_.isKnownNonNegative(increment)) {
    steps.push_back(step(Any, bits));
    append(steps, recurrence.getStart());
    steps.push_back(step(AtLeast, bits));
  } else {
    steps.push_back(step(Any, bits));
  }
}

void OffsetSteps::appendAll(Steps& steps, llvm::ArrayRef<const llvm::SCEV*> operands,
                            FootprintOperation operation, unsigned bits) {
  append(steps, operands.front());
  for (const llvm::SCEV* operand : operands.drop_front()) {
    append(steps, operand);
    steps.push_back(step(operation, bits));
  }
}

void OffsetSteps::append(Steps& steps, const llvm::SCEV* value) {
  const auto bits = static_cast<unsigned>(evolution_.getTypeSizeInBits(value->getType()));
  if (bits > 64 || depth_ >= mostDepth || isTooLong(steps)) {
    steps.push_back(step(Any, std::min(bits, 64u)));
    return;
  }
  ++depth_;
  const auto operandsOf = [&] { return llvm::cast<llvm::SCEVNAryExpr>(value)->operands(); };
  switch (value->getSCEVType()) {
  case llvm::scConstant:
    append(steps, llvm::cast<llvm::SCEVConstant>(value)->getValue());
    break;
  case llvm::scUnknown:
    append(steps, llvm::cast<llvm::SCEVUnknown>(value)->getValue());
    break;
  case llvm::scTruncate:
    append(steps, llvm::cast<llvm::SCEVCastExpr>(value)->getOperand());
    steps.push_back(step(Truncate, bits));
    break;
  case llvm::scZeroExtend: {
    const llvm::SCEV* number = llvm::cast<llvm::SCEVCastExpr>(value)->getOperand();
    append(steps, number);
    steps.push_back(step(ZeroExtend, bits,
                         static_cast<int64_t>(evolution_.getTypeSizeInBits(number->getType()))));
    break;
  }
  case llvm::scSignExtend:
    append(steps, llvm::cast<llvm::SCEVCastExpr>(value)->getOperand());
    break;
  case llvm::scAddExpr:
    appendAll(steps, operandsOf(), Add, bits);
    break;
  case llvm::scMulExpr:
    appendAll(steps, operandsOf(), Multiply, bits);
    break;
  case llvm::scSMaxExpr:
    appendAll(steps, operandsOf(), GreatestSigned, bits);
    break;
  case llvm::scSMinExpr:
    appendAll(steps, operandsOf(), LeastSigned, bits);
    break;
  case llvm::scUMaxExpr:
    appendAll(steps, operandsOf(), GreatestUnsigned, bits);
    break;
  case llvm::scUMinExpr:
  case llvm::scSequentialUMinExpr:
    appendAll(steps, operandsOf(), LeastUnsigned, bits);
    break;
  case llvm::scUDivExpr: {
    const auto* division = llvm::cast<llvm::SCEVUDivExpr>(value);
    appendOperation(steps, DivideUnsigned, bits, division->getLHS(), division->getRHS());
    break;
  }
  case llvm::scAddRecExpr:
    appendRecurrence(steps, *llvm::cast<llvm::SCEVAddRecExpr>(value));
    break;
  default:
    steps.push_back(step(Any, bits));
  }
  --depth_;
}

void OffsetSteps::appendLimit(Steps& steps, const llvm::Value* limit,
                              llvm::CmpInst::Predicate predicate) {
  const unsigned bits = limit->getType()->getIntegerBitWidth();
  const auto append = [&](FootprintOperation operation, int64_t more) {
    this->append(steps, limit);
    if (more != 0) {
      steps.push_back(step(Constant, bits, more));
      steps.push_back(step(Add, bits));
    }
    steps.push_back(step(operation, bits));
  };
  switch (predicate) {
  case llvm::CmpInst::ICMP_SLT:
    return append(AtMost, -1);
  case llvm::CmpInst::ICMP_SLE:
    return append(AtMost, 0);
  case llvm::CmpInst::ICMP_SGT:
    return append(AtLeast, 1);
  case llvm::CmpInst::ICMP_SGE:
    return append(AtLeast, 0);
  case llvm::CmpInst::ICMP_ULT:
    return append(AtMostUnsigned, -1);
  case llvm::CmpInst::ICMP_ULE:
    return append(AtMostUnsigned, 0);
  case llvm::CmpInst::ICMP_UGT:
    return append(AtLeastUnsigned, 1);
  case llvm::CmpInst::ICMP_UGE:
    return append(AtLeastUnsigned, 0);
  case llvm::CmpInst::ICMP_EQ:
    append(AtMost, 0);
    return append(AtLeast, 0);
  default:
    return;
  }
}

void OffsetSteps::appendLimits(Steps& steps, const llvm::Value* value) {
  if (isOfLaunch(value))
    return;
  isLimiting_ = true;
  for (const Condition& condition : conditions_) {
    const llvm::CmpInst::Predicate predicate = condition.holds
                                                   ? condition.comparison->getPredicate()
                                                   : condition.comparison->getInversePredicate();
    if (condition.comparison->getOperand(0) == value)
      appendLimit(steps, condition.comparison->getOperand(1), predicate);
    else if (condition.comparison->getOperand(1) == value)
      appendLimit(steps, condition.comparison->getOperand(0),
                  llvm::CmpInst::getSwappedPredicate(predicate));
  }
  isLimiting_ = false;
}

void OffsetSteps::appendConditions(Steps& steps) {
  llvm::SmallPtrSet<const llvm::Value*, 8> seen;
  for (const Condition& condition : conditions_) {
    const llvm::Value* number =
        condition.comparison->getOperand(isOfLaunch(condition.comparison->getOperand(0)) ? 1 : 0);
    if (isOfLaunch(number) || !isNumber(number->getType()) || !seen.insert(number).second)
      continue;
    Steps limited;
    append(limited, number);
    // Others are the same for all work-groups.
    const bool tellsGroups = llvm::any_of(limited, [](const FootprintStep& made) {
      return made.operation == Group || made.operation == First || made.operation == Item;
    });
    if (!tellsGroups || isTooLong(limited))
      continue;
    steps.insert(steps.end(), limited.begin(), limited.end());
    steps.push_back(step(Drop, 64));
  }
}

} // namespace quern::compiler
