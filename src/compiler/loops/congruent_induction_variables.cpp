#include "compiler/loops/congruent_induction_variables.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/il/preserved_analyses.h"

namespace quern::compiler {
namespace {

struct Counter {
  llvm::PHINode* phi;
  const llvm::SCEVAddRecExpr* course;
};

llvm::SmallVector<Counter> countersOf(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  llvm::SmallVector<Counter> counters;
  for (llvm::PHINode& phi : loop.getHeader()->phis())
    if (phi.getType()->isIntegerTy())
      if (const auto* course = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(&phi));
          course && course->getLoop() == &loop && course->isAffine())
        counters.push_back({&phi, course});
  return counters;
}

/// What `counter` is above `first`, where that never changes.
const llvm::APInt* distance(const Counter& counter, const Counter& first,
                            llvm::ScalarEvolution& evolution) {
  if (counter.phi->getType() != first.phi->getType() ||
      counter.course->getStepRecurrence(evolution) != first.course->getStepRecurrence(evolution))
    return nullptr;
  const auto* difference = llvm::dyn_cast<llvm::SCEVConstant>(
      evolution.getMinusSCEV(counter.course->getStart(), first.course->getStart()));
  return difference ? &difference->getAPInt() : nullptr;
}

bool unify(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  llvm::SmallVector<Counter> kept;
  bool changed = false;
  for (const Counter& counter : countersOf(loop, evolution)) {
    const llvm::APInt* above = nullptr;
    const auto* const first = llvm::find_if(
        kept, [&](const Counter& each) { return (above = distance(counter, each, evolution)); });
    if (first == kept.end()) {
      kept.push_back(counter);
      continue;
    }
    llvm::IRBuilder<> builder(loop.getHeader(), loop.getHeader()->getFirstInsertionPt());
    llvm::Value* same =
        above->isZero()
            ? first->phi
            : builder.CreateAdd(first->phi, llvm::ConstantInt::get(counter.phi->getType(), *above));
    evolution.forgetValue(counter.phi);
    counter.phi->replaceAllUsesWith(same);
    llvm::RecursivelyDeleteDeadPHINode(counter.phi);
    changed = true;
  }
  return changed;
}

} // namespace

llvm::PreservedAnalyses
CongruentInductionVariablesPass::run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses) {
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  bool changed = false;
  for (const llvm::Loop* loop :
       analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
    changed |= unify(*loop, evolution);
  return preservedWithCfg(changed);
}

} // namespace quern::compiler
