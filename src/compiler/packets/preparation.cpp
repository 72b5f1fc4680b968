#include "compiler/packets/preparation.h"

#include <algorithm>

#include <llvm/Analysis/SimplifyQuery.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/CorrelatedValuePropagation.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>

#include "compiler/il/division.h"
#include "compiler/il/group_shape.h"
#include "compiler/il/kernel_function.h"
#include "compiler/loops/promote_accumulators.h"
#include "compiler/loops/wide_recurrences.h"
#include "compiler/packets/expansions.h"
#include "compiler/packets/kept_loads.h"
#include "compiler/packets/moved_vectors.h"
#include "compiler/packets/row_loops.h"
#include "compiler/packets/shapes.h"
#include "compiler/packets/split_accumulators.h"
#include "compiler/regions/array_uses.h"
#include "compiler/work_items/combine_instructions.h"

namespace quern::compiler {
namespace {

/// Instructions of a function that becomes part of its callers.
constexpr unsigned maxInlined = 700;

/// What passes vectors cannot be called for one work-item after the other: packets have their
/// elements apart.
bool passesVectors(const llvm::CallInst& call) {
  return call.getType()->isVectorTy() || llvm::any_of(call.args(), [](const llvm::Use& argument) {
           return argument->getType()->isVectorTy();
         });
}

/// Instructions that a caller has more with `callee` inlined, which takes the place of a call and
/// loses its return.
unsigned growthWith(const llvm::Function& callee) {
  constexpr unsigned callAndReturn = 2;
  return std::max(callee.getInstructionCount(), callAndReturn) - callAndReturn;
}

bool inlineCallees(llvm::Function& copy) {
  llvm::SmallVector<llvm::CallInst*> calls;
  const auto add = [&](llvm::Instruction& instruction) {
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && isInlinable(*call))
      calls.push_back(call);
  };
  for (llvm::Instruction& instruction : llvm::instructions(copy))
    add(instruction);
  unsigned size = copy.getInstructionCount();
  bool changed = false;
  while (!calls.empty()) {
    llvm::CallInst* call = calls.pop_back_val();
    const unsigned more = growthWith(*call->getCalledFunction());
    if (size + more > maxPacketInstructions)
      continue;
    llvm::InlineFunctionInfo info;
    if (!llvm::InlineFunction(*call, info).isSuccess())
      continue;
    size += more;
    changed = true;
    for (llvm::CallBase* inner : info.InlinedCallSites)
      add(*inner);
  }
  return changed;
}

void boundId(llvm::Argument& id, uint64_t end) {
  if (!id.hasAttribute(llvm::Attribute::Range))
    id.addAttr(llvm::Attribute::get(id.getContext(), llvm::Attribute::Range,
                                    llvm::ConstantRange(llvm::APInt(64, 0), llvm::APInt(64, end))));
}

/// Packets only run where all ids are below maxPacketId. Of local ids more may be known already.
void boundIds(llvm::Function& copy) {
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    boundId(*implicitArgument(copy, ImplicitArgument::First, dimension), maxPacketId);
    boundId(*implicitArgument(copy, ImplicitArgument::Item, dimension), maxIdSum);
  }
}

/// The local ids of a work-group of known size. Packets may be wider than a row of it: of what
/// their work-items beyond the row compute, nothing must follow from this.
void boundLocalIds(llvm::Function& copy) {
  const std::array<uint64_t, 3> shape = groupShape(copy);
  for (unsigned dimension = 0; dimension < shape.size(); ++dimension)
    if (shape[dimension] != 0 && !isFlat(copy, dimension))
      boundId(*implicitArgument(copy, ImplicitArgument::Item, dimension), shape[dimension]);
}

bool dividesSigned(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    return isSignedDivision(instruction.getOpcode()) ||
           (instruction.getOpcode() == llvm::Instruction::AShr &&
            instruction.getType()->isIntegerTy(32));
  });
}

/// Notes which sums are written as `or`, by what is known of the sizes of work-groups:
/// `y << 4 | x` in rows of 16.
void markDisjointBits(llvm::Function& copy) {
  const llvm::AttributeList attributes = copy.getAttributes();
  boundLocalIds(copy);
  const llvm::SimplifyQuery query(copy.getDataLayout());
  for (llvm::Instruction& instruction : llvm::instructions(copy))
    if (auto* bits = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction);
        bits && !bits->isDisjoint() &&
        llvm::haveNoCommonBitsSet(bits->getOperand(0), bits->getOperand(1), query))
      bits->setIsDisjoint(true);
  copy.setAttributes(attributes);
}

bool usesVectors(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    return instruction.getType()->isVectorTy() ||
           llvm::any_of(instruction.operands(),
                        [](const llvm::Use& operand) { return operand->getType()->isVectorTy(); });
  });
}

} // namespace

bool isInlinable(const llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  const auto stays = [&] {
    return callee->hasFnAttribute(llvm::Attribute::NoInline) &&
           (callee->hasFnAttribute(llvm::Attribute::Cold) || !passesVectors(call));
  };
  return callee && !callee->isDeclaration() && !stays() &&
         callee->getInstructionCount() <= maxInlined;
}

bool prepareForPackets(llvm::Function& copy, VectorForm vectors, unsigned items,
                       const TargetModel& target, llvm::FunctionAnalysisManager& analyses) {
  const auto run = [&](llvm::FunctionPassManager passes) {
    analyses.invalidate(copy, passes.run(copy, analyses));
  };
  const bool inlined = inlineCallees(copy);
  bool changed = inlined;
  if (inlined)
    analyses.invalidate(copy, llvm::PreservedAnalyses::none());
  if (expandArrayFills(variablesOf(copy))) {
    changed = true;
    analyses.invalidate(copy, llvm::PreservedAnalyses::none());
  }
  llvm::FunctionPassManager first, elements, last;
  first.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  first.addPass(llvm::EarlyCSEPass());
  run(std::move(first));
  markDisjointBits(copy);
  if (dividesSigned(copy)) {
    changed = true;
    boundIds(copy);
    llvm::FunctionPassManager divisions;
    divisions.addPass(llvm::CorrelatedValuePropagationPass());
    run(std::move(divisions));
  }
  if (moveVectorsWhole(copy)) {
    changed = true;
    analyses.invalidate(copy, llvm::PreservedAnalyses::none());
  }
  if (usesVectors(copy)) {
    changed = true;
    if (expandVectorOperations(copy, vectors))
      analyses.invalidate(copy, llvm::PreservedAnalyses::none());
    llvm::ScalarizerPassOptions options;
    options.ScalarizeLoadStore = true;
    if (vectors == VectorForm::Apart)
      elements.addPass(llvm::ScalarizerPass(options));
    elements.addPass(llvm::EarlyCSEPass());
    run(std::move(elements));
  }
  if (changed) {
    last.addPass(CombineInstructionsPass());
    last.addPass(llvm::ADCEPass());
    last.addPass(llvm::EarlyCSEPass());
  }
  last.addPass(llvm::SimplifyCFGPass());
  last.addPass(llvm::LowerSwitchPass());
  last.addPass(llvm::UnifyFunctionExitNodesPass());
  last.addPass(llvm::LoopSimplifyPass());
  last.addPass(llvm::LCSSAPass());
  last.addPass(WideRecurrencesPass());
  // Counters of type int become as wide as addresses, where the program promises that they do not
  // wrap.
  last.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::IndVarSimplifyPass()));
  last.addPass(llvm::LoopSimplifyPass());
  last.addPass(llvm::LCSSAPass());
  last.addPass(PromoteAccumulatorsPass());
  last.addPass(llvm::LoopSimplifyPass());
  last.addPass(llvm::LCSSAPass());
  run(std::move(last));
  if (keepLoads(copy, analyses)) {
    llvm::FunctionPassManager again;
    again.addPass(CombineInstructionsPass());
    again.addPass(llvm::SimplifyCFGPass());
    again.addPass(llvm::LoopSimplifyPass());
    again.addPass(llvm::LCSSAPass());
    run(std::move(again));
  }
  if (unrollRowLoops(copy, analyses)) {
    analyses.invalidate(copy, llvm::PreservedAnalyses::none());
    llvm::FunctionPassManager again;
    again.addPass(CombineInstructionsPass());
    again.addPass(llvm::EarlyCSEPass());
    again.addPass(llvm::SimplifyCFGPass());
    again.addPass(llvm::LoopSimplifyPass());
    again.addPass(llvm::LCSSAPass());
    run(std::move(again));
  }
  if (splitAccumulators(copy, items, target, analyses)) {
    analyses.invalidate(copy, llvm::PreservedAnalyses::none());
    llvm::FunctionPassManager again;
    again.addPass(llvm::LoopSimplifyPass());
    again.addPass(llvm::LCSSAPass());
    run(std::move(again));
  }
  // LLVM would make the same of it again.
  if (expandForVectors(copy))
    analyses.invalidate(copy, llvm::PreservedAnalyses::none());
  return inlined;
}

} // namespace quern::compiler
