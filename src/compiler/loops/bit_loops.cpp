#include "compiler/loops/bit_loops.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/PatternMatch.h>

namespace quern::compiler {

using namespace llvm::PatternMatch;
using llvm::Value;

namespace {

/// The value for which the loop's only exit asks whether it is 0, and is then left; or null.
Value* testedAtExit(const llvm::Loop& loop, const llvm::BasicBlock& exiting) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(exiting.getTerminator());
  llvm::CmpPredicate predicate;
  Value* tested = nullptr;
  if (!branch || !branch->isConditional() ||
      !match(branch->getCondition(), m_ICmp(predicate, m_Value(tested), m_Zero())) ||
      !llvm::ICmpInst::isEquality(predicate))
    return nullptr;
  const bool isLeftOnTrue = !loop.contains(branch->getSuccessor(0));
  return isLeftOnTrue == (predicate == llvm::ICmpInst::ICMP_EQ) ? tested : nullptr;
}

} // namespace

std::optional<BitLoop> BitLoop::of(const llvm::Loop& loop) {
  const llvm::BasicBlock *exiting = loop.getExitingBlock(), *latch = loop.getLoopLatch(),
                         *before = loop.getLoopPreheader();
  Value* tested = exiting && latch && before ? testedAtExit(loop, *exiting) : nullptr;
  if (!tested || !tested->getType()->isIntegerTy() || tested->getType()->getIntegerBitWidth() > 64)
    return std::nullopt;
  for (const llvm::PHINode& phi : loop.getHeader()->phis()) {
    Value* next = phi.getIncomingValueForBlock(latch);
    const bool isLeftAtLatch = exiting == latch && tested == next;
    if (!isLeftAtLatch && !(exiting == loop.getHeader() && tested == &phi))
      continue;
    const auto number = m_Specific(&phi);
    std::optional<Step> step;
    if (match(next, m_c_And(m_c_Add(number, m_AllOnes()), number)))
      step = Step::ClearLowestBit;
    else if (match(next, m_LShr(number, m_One())))
      step = Step::ShiftRight;
    if (step)
      return BitLoop(*phi.getIncomingValueForBlock(before), *tested, *step, isLeftAtLatch);
  }
  return std::nullopt;
}

Value* BitLoop::backedgeTakenCount(llvm::IRBuilderBase& builder) const {
  llvm::Type* type = first_->getType();
  Value* steps = step_ == Step::ClearLowestBit
                     ? builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, first_)
                     : builder.CreateSub(llvm::ConstantInt::get(type, type->getIntegerBitWidth()),
                                         builder.CreateIntrinsic(llvm::Intrinsic::ctlz, {type},
                                                                 {first_, builder.getFalse()}));
  if (!isLeftAtLatch_)
    return steps;
  // A number that is 0 from the beginning takes one step, too.
  llvm::Constant* one = llvm::ConstantInt::get(type, 1);
  return builder.CreateSub(builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, steps, one), one);
}

} // namespace quern::compiler
