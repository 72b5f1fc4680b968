#include "compiler/loops/idle_loops.h"

#include <optional>

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/loops/bit_loops.h"

namespace quern::compiler {
namespace {

using llvm::Instruction;
using llvm::Loop;
using llvm::Value;

/// Of what is computed in a loop's place, in the units of SCEVExpander.
constexpr unsigned maxCost = 32;

/// A part of a private variable that a loop reads or writes, always as a whole.
struct Place {
  llvm::AllocaInst* variable;
  int64_t offset;
  llvm::Type* type;
  llvm::SmallVector<Instruction*, 4> accesses;

  bool isOf(const Place& other) const {
    return variable == other.variable && offset == other.offset && type == other.type;
  }
  bool overlaps(const Place& other) const {
    return variable == other.variable && offset < other.end() && other.offset < end();
  }
  int64_t end() const {
    const llvm::DataLayout& layout = variable->getDataLayout();
    return offset + static_cast<int64_t>(layout.getTypeStoreSize(type).getFixedValue());
  }
};
using Places = llvm::SmallVector<Place, 2>;

std::optional<Place> placeOf(Instruction& access) {
  const bool isSimple = llvm::isa<llvm::LoadInst, llvm::StoreInst>(access) &&
                        !access.isVolatile() && !access.isAtomic();
  if (!isSimple || llvm::getLoadStoreType(&access)->isScalableTy())
    return std::nullopt;
  const llvm::DataLayout& layout = access.getDataLayout();
  Value* pointer = llvm::getLoadStorePointerOperand(&access);
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  auto* variable = llvm::dyn_cast<llvm::AllocaInst>(
      pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true));
  if (!variable || !variable->isStaticAlloca())
    return std::nullopt;
  return Place{variable, offset.getSExtValue(), llvm::getLoadStoreType(&access), {&access}};
}

/// The private memory that `loop` changes or reads, or nothing if it does more than that, except
/// for computing values.
std::optional<Places> onlyPlaces(const Loop& loop) {
  Places places;
  for (llvm::BasicBlock* block : loop.blocks())
    for (Instruction& instruction : *block) {
      if (!instruction.mayReadOrWriteMemory()) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (instruction.mayHaveSideEffects() || (call && call->isConvergent()))
          return std::nullopt;
        continue;
      }
      std::optional<Place> place = placeOf(instruction);
      if (!place)
        return std::nullopt;
      Place* known = llvm::find_if(places, [&](const Place& p) { return p.overlaps(*place); });
      if (known == places.end())
        places.push_back(*place);
      else if (known->isOf(*place))
        known->accesses.append(place->accesses);
      else
        return std::nullopt;
    }
  return places;
}

class Deleter {
public:
  Deleter(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : function_(function), loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
        dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
        assumptions_(analyses.getResult<llvm::AssumptionAnalysis>(function)),
        target_(analyses.getResult<llvm::TargetIRAnalysis>(function)), analyses_(analyses) {}

  /// Inner loops first: those around them may then be idle, too.
  bool run() {
    bool changed = false;
    const llvm::SmallVector<Loop*, 4> outerFirst = loops_.getLoopsInPreorder();
    for (Loop* loop : llvm::reverse(outerFirst))
      if (const std::optional<Places> places = onlyPlaces(*loop))
        changed |= remove(*loop, *places);
    return changed;
  }

private:
  /// Whether anything changed.
  bool remove(Loop& loop, const Places& places) {
    auto& evolution = analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function_);
    if (places.empty() && !ends(loop, evolution) && !BitLoop::of(loop))
      return false;
    bool changed = llvm::simplifyLoop(&loop, &dominators_, &loops_, &evolution, &assumptions_,
                                      nullptr, /*PreserveLCSSA=*/false);
    if (!loop.getLoopPreheader() || !loop.getUniqueExitBlock() || !loop.hasDedicatedExits())
      return changed;
    if (!places.empty()) {
      promote(loop, places);
      evolution.forgetLoop(&loop);
      changed = true;
    }
    changed |= llvm::formLCSSA(loop, dominators_, &loops_, &evolution);
    const bool canDelete = (ends(loop, evolution) && replaceLastValues(loop, evolution)) ||
                           replaceLastOfBits(loop, evolution);
    if (!canDelete)
      return changed;
    llvm::BasicBlock* after = loop.getUniqueExitBlock();
    llvm::deleteDeadLoop(&loop, &dominators_, &evolution, &loops_);
    llvm::FoldSingleEntryPHINodes(after);
    return true;
  }

  /// Keeps what is at `places` in values while the loop runs.
  void promote(Loop& loop, const Places& places) {
    llvm::SmallVector<llvm::AllocaInst*, 2> variables;
    llvm::IRBuilder<> start(&*function_.getEntryBlock().getFirstInsertionPt()),
        before(loop.getLoopPreheader()->getTerminator()),
        after(&*loop.getUniqueExitBlock()->getFirstInsertionPt());
    for (const Place& place : places) {
      const llvm::Align alignment =
          llvm::commonAlignment(place.variable->getAlign(), static_cast<uint64_t>(place.offset));
      const auto address = [&](llvm::IRBuilder<>& builder) {
        return builder.CreatePtrAdd(place.variable,
                                    builder.getInt64(static_cast<uint64_t>(place.offset)));
      };
      llvm::AllocaInst* variable = start.CreateAlloca(place.type);
      before.CreateStore(before.CreateAlignedLoad(place.type, address(before), alignment),
                         variable);
      for (Instruction* access : place.accesses)
        access->setOperand(llvm::isa<llvm::StoreInst>(access)
                               ? llvm::StoreInst::getPointerOperandIndex()
                               : llvm::LoadInst::getPointerOperandIndex(),
                           variable);
      after.CreateAlignedStore(after.CreateLoad(place.type, variable), address(after), alignment);
      variables.push_back(variable);
    }
    llvm::PromoteMemToReg(variables, dominators_, &assumptions_);
  }

  static bool ends(const Loop& loop, llvm::ScalarEvolution& evolution) {
    return evolution.hasLoopInvariantBackedgeTakenCount(&loop) || llvm::isMustProgress(&loop);
  }

  /// Computes what is used of the loop before it, if that is possible.
  bool replaceLastValues(Loop& loop, llvm::ScalarEvolution& evolution) {
    return replaceLastValues(loop, evolution, [&](Value* value) {
      return evolution.getSCEVAtScope(evolution.getSCEV(value), loop.getParentLoop());
    });
  }

  /// The same of a loop that runs once for each bit of a number.
  bool replaceLastOfBits(Loop& loop, llvm::ScalarEvolution& evolution) {
    const std::optional<BitLoop> bits = BitLoop::of(loop);
    if (!bits)
      return false;
    llvm::IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
    Value* count = bits->backedgeTakenCount(builder);
    const bool areReplaced =
        replaceLastValues(loop, evolution, [&](Value* value) -> const llvm::SCEV* {
          if (value == &bits->number())
            return evolution.getZero(value->getType());
          const llvm::SCEV* known = evolution.getSCEV(value);
          const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(known);
          // A byte holds as many as there are bits.
          return counter && counter->getLoop() == &loop && counter->isAffine() &&
                         counter->getType()->isIntegerTy() &&
                         counter->getType()->getIntegerBitWidth() >= 8
                     ? counter->evaluateAtIteration(
                           evolution.getTruncateOrZeroExtend(evolution.getSCEV(count),
                                                             counter->getType()),
                           evolution)
                     : known;
        });
    llvm::RecursivelyDeleteTriviallyDeadInstructions(count);
    return areReplaced;
  }

  /// `last`: of a value of the loop that is used behind it, as one of before, or null.
  bool replaceLastValues(Loop& loop, llvm::ScalarEvolution& evolution,
                         llvm::function_ref<const llvm::SCEV*(Value*)> last) {
    llvm::SCEVExpander expander(evolution, "last");
    Instruction* end = loop.getLoopPreheader()->getTerminator();
    llvm::SmallVector<std::pair<llvm::PHINode*, const llvm::SCEV*>> values;
    for (llvm::PHINode& phi : loop.getUniqueExitBlock()->phis()) {
      if (Value* same = phi.hasConstantValue(); same && loop.isLoopInvariant(same))
        continue;
      const llvm::SCEV* value = lastValue(phi, loop, evolution, last);
      if (!value || !expander.isSafeToExpandAt(value, end) ||
          expander.isHighCostExpansion(value, &loop, maxCost, &target_, end))
        return false;
      values.emplace_back(&phi, value);
    }
    for (const auto& [phi, value] : values) {
      Value* made = expander.expandCodeFor(value, phi->getType(), end);
      for (llvm::Use& incoming : phi->incoming_values())
        incoming.set(made);
    }
    return true;
  }

  /// The same from wherever the loop is left, or null.
  static const llvm::SCEV* lastValue(const llvm::PHINode& phi, const Loop& loop,
                                     llvm::ScalarEvolution& evolution,
                                     llvm::function_ref<const llvm::SCEV*(Value*)> last) {
    const llvm::SCEV* same = nullptr;
    for (Value* incoming : phi.incoming_values()) {
      if (!evolution.isSCEVable(incoming->getType()))
        return nullptr;
      const llvm::SCEV* value = last(incoming);
      if (!evolution.isLoopInvariant(value, &loop) || (same && same != value))
        return nullptr;
      same = value;
    }
    return same;
  }

  llvm::Function& function_;
  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  llvm::AssumptionCache& assumptions_;
  const llvm::TargetTransformInfo& target_;
  llvm::FunctionAnalysisManager& analyses_;
};

} // namespace

llvm::PreservedAnalyses IdleLoopsPass::run(llvm::Function& function,
                                           llvm::FunctionAnalysisManager& analyses) {
  return Deleter(function, analyses).run() ? llvm::PreservedAnalyses::none()
                                           : llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
