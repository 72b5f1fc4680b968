#include "compiler/target/nvptx/strided_unrolling.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <optional>

#include "compiler/il/loop.h"
#include "compiler/target/nvptx/remap_address_spaces.h"
#include "compiler/target/nvptx/unrolling_limits.h"

namespace quern::compiler {
namespace {

using namespace llvm::PatternMatch;

/// A loop of one block, whose branch goes on while `next` is less than `bound`.
struct StridedLoop {
  llvm::Loop* loop;
  llvm::BasicBlock* body;
  llvm::BasicBlock* exit;
  llvm::PHINode* counter;
  llvm::Value* next; ///< the counter and `step` together
  llvm::Value* step;
  llvm::Value* bound;
  llvm::CmpInst::Predicate less; ///< signed or unsigned
};

/// An iteration's values, by those of the loop as it was.
struct Iteration {
  llvm::ValueToValueMapTy values;

  llvm::Value* of(llvm::Value* value) const {
    const auto found = values.find(value);
    return found == values.end() ? value : static_cast<llvm::Value*>(found->second);
  }
};

/// Whether it reads what may be in the GPU's memory only.
bool takesLong(const llvm::Instruction& instruction) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load && load->getPointerAddressSpace() == nvptx_space::global;
}

/// Calls of functions are long, and scopes of aliases begin once.
bool mayBeCopied(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return !call || (llvm::isa<llvm::IntrinsicInst>(call) && !call->cannotDuplicate() &&
                   !llvm::isa<llvm::NoAliasScopeDeclInst>(call));
}

/// Whether the loads of a later iteration would have to wait for it.
bool mayWriteWhatIsRead(const llvm::Instruction& instruction) {
  if (!instruction.mayWriteToMemory())
    return false;
  const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    pointer = update->getPointerOperand();
  return !pointer || pointer->getType()->getPointerAddressSpace() != nvptx_space::shared;
}

bool isWorthwhile(const llvm::Loop& loop, const llvm::BasicBlock& body) {
  return instructionsOf(loop) <= maxInstructionsToUnroll && !hasUnrollingOption(loop) &&
         !isConvergent(loop) && llvm::any_of(body, takesLong) && llvm::all_of(body, mayBeCopied) &&
         llvm::none_of(body, mayWriteWhatIsRead);
}

/// `loop` has one block.
std::optional<StridedLoop> stridedLoop(llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  llvm::BasicBlock* body = loop.getHeader();
  if (!loop.isLoopSimplifyForm() || !isWorthwhile(loop, *body) ||
      hasCheapTripCount(loop, evolution))
    return std::nullopt;
  llvm::CmpPredicate predicate;
  llvm::Value *left, *right;
  llvm::BasicBlock *taken, *otherwise;
  if (!match(body->getTerminator(),
             m_Br(m_ICmp(predicate, m_Value(left), m_Value(right)), taken, otherwise)))
    return std::nullopt;
  llvm::CmpInst::Predicate less = taken == body ? llvm::CmpInst::Predicate(predicate)
                                                : llvm::CmpInst::getInversePredicate(predicate);
  if (loop.isLoopInvariant(left)) {
    std::swap(left, right);
    less = llvm::CmpInst::getSwappedPredicate(less);
  }
  if ((less != llvm::CmpInst::ICMP_ULT && less != llvm::CmpInst::ICMP_SLT) ||
      !loop.isLoopInvariant(right))
    return std::nullopt;
  for (llvm::PHINode& counter : body->phis())
    if (llvm::Value* step; counter.getIncomingValueForBlock(body) == left &&
                           match(left, m_c_Add(m_Specific(&counter), m_Value(step))) &&
                           loop.isLoopInvariant(step))
      return StridedLoop{.loop = &loop,
                         .body = body,
                         .exit = taken == body ? otherwise : taken,
                         .counter = &counter,
                         .next = left,
                         .step = step,
                         .bound = right,
                         .less = less};
  return std::nullopt;
}

/// What `next` must be less than for another four iterations to follow that the loop would make one
/// by one, too.
struct Limit {
  llvm::Value* value;
  llvm::Value* isReliable; ///< not where the counter could wrap around within four iterations
};

Limit limitOfJoined(llvm::IRBuilder<>& builder, const StridedLoop& strided) {
  llvm::Type* type = strided.step->getType();
  const unsigned bits = type->getScalarSizeInBits();
  // Not less than 0 either, where the numbers are signed.
  llvm::Value* isSmall = builder.CreateICmpULT(
      strided.step, llvm::ConstantInt::get(type, llvm::APInt::getOneBitSet(bits, bits - 3)));
  llvm::Value* lead =
      builder.CreateMul(strided.step, llvm::ConstantInt::get(type, partialUnrollCount - 1));
  llvm::Value* fits = builder.CreateICmp(strided.less, lead, strided.bound);
  return {.value = builder.CreateSub(strided.bound, lead),
          .isReliable = builder.CreateAnd(isSmall, fits)};
}

/// What the phis of the loop are in the iteration after `iteration`.
void advance(const StridedLoop& strided, Iteration& iteration) {
  llvm::SmallVector<std::pair<llvm::PHINode*, llvm::Value*>> carried;
  for (llvm::PHINode& phi : strided.body->phis())
    carried.emplace_back(&phi, iteration.of(phi.getIncomingValueForBlock(strided.body)));
  for (const auto& [phi, value] : carried)
    iteration.values[phi] = value;
}

/// Copies an iteration whose phis are known to the end of `block`.
void copyIteration(const StridedLoop& strided, llvm::BasicBlock& block, Iteration& iteration) {
  for (llvm::Instruction& instruction : llvm::make_range(
           strided.body->getFirstNonPHIIt(), strided.body->getTerminator()->getIterator())) {
    llvm::Instruction* copy = instruction.clone();
    copy->setName(instruction.getName());
    copy->insertInto(&block, block.end());
    llvm::RemapInstruction(copy, iteration.values,
                           llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
    iteration.values[&instruction] = copy;
  }
}

void unroll(const StridedLoop& strided) {
  llvm::BasicBlock* body = strided.body;
  llvm::BasicBlock* before = strided.loop->getLoopPreheader();
  auto* joined = llvm::BasicBlock::Create(body->getContext(), "joined", body->getParent(), body);
  auto* rest = llvm::BasicBlock::Create(body->getContext(), "rest", body->getParent(), body);

  llvm::IRBuilder<> builder(before->getTerminator());
  const Limit limit = limitOfJoined(builder, strided);
  llvm::Value* isLess = builder.CreateICmp(
      strided.less, strided.counter->getIncomingValueForBlock(before), limit.value);
  // What is poison where the loop as it was does not look at it must do no harm.
  llvm::Value* enters = builder.CreateFreeze(builder.CreateAnd(limit.isReliable, isLess));
  builder.CreateCondBr(enters, joined, body);
  before->getTerminator()->eraseFromParent();

  Iteration iteration;
  builder.SetInsertPoint(joined);
  llvm::SmallVector<std::pair<llvm::PHINode*, llvm::PHINode*>> phis;
  for (llvm::PHINode& phi : body->phis()) {
    llvm::PHINode* copy = builder.CreatePHI(phi.getType(), 2, phi.getName());
    copy->addIncoming(phi.getIncomingValueForBlock(before), before);
    iteration.values[&phi] = copy;
    phis.emplace_back(&phi, copy);
  }
  for (unsigned i = 0; i < partialUnrollCount; ++i) {
    if (i > 0)
      advance(strided, iteration);
    copyIteration(strided, *joined, iteration);
  }
  builder.SetInsertPoint(joined);
  llvm::Value* next = iteration.of(strided.next);
  builder.CreateCondBr(builder.CreateICmp(strided.less, next, limit.value), joined, rest);
  builder.SetInsertPoint(rest);
  builder.CreateCondBr(builder.CreateICmp(strided.less, next, strided.bound), body, strided.exit);

  for (llvm::PHINode& phi : strided.exit->phis())
    phi.addIncoming(iteration.of(phi.getIncomingValueForBlock(body)), rest);
  for (const auto& [phi, copy] : phis) {
    llvm::Value* last = iteration.of(phi->getIncomingValueForBlock(body));
    copy->addIncoming(last, joined);
    phi->addIncoming(last, rest);
  }
}

} // namespace

llvm::PreservedAnalyses StridedUnrollingPass::run(llvm::Function& function,
                                                  llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  llvm::SmallVector<StridedLoop> found;
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (loop->getNumBlocks() != 1)
      continue;
    changed |= llvm::simplifyLoop(loop, &dominators, &loops, &evolution, &assumptions, nullptr,
                                  /*PreserveLCSSA=*/false);
    if (const auto strided = stridedLoop(*loop, evolution)) {
      llvm::formLCSSA(*loop, dominators, &loops, &evolution);
      found.push_back(*strided);
    }
  }
  for (const StridedLoop& strided : found)
    unroll(strided);
  return found.empty() && !changed ? llvm::PreservedAnalyses::all()
                                   : llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
