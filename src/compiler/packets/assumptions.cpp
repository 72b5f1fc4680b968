#include "compiler/packets/assumptions.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/packet_condition.h"
#include "compiler/il/region_function.h"
#include "compiler/il/rematerialise.h"
#include "compiler/il/uniformity.h"
#include "compiler/packets/lane_predicate.h"

namespace quern::compiler {
namespace {

using namespace llvm::PatternMatch;
using llvm::BasicBlock;
using llvm::CmpInst;
using llvm::Value;

/// A loop of more iterations may have a condition that cuts it short on purpose.
constexpr unsigned maxIterations = 64;

class Assumptions {
public:
  Assumptions(llvm::Function& region, llvm::FunctionAnalysisManager& analyses)
      : region_(region),
        inRow_(analyses.getResult<UniformityAnalysis>(region).of(UniformityRoot::row())),
        inColumn_(analyses.getResult<UniformityAnalysis>(region).of(UniformityRoot::column())),
        loops_(analyses.getResult<llvm::LoopAnalysis>(region)),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(region)),
        shapes_(analyses.getResult<ShapeAnalysis>(region).of(UniformityRoot::row())),
        columnShapes_(analyses.getResult<ShapeAnalysis>(region).of(UniformityRoot::column())),
        joins_(region), builder_(region.getEntryBlock().getTerminator()) {}

  Assumed run(bool withBounds) {
    bool changed = false;
    if (!hasEffects(region_.getEntryBlock().end()))
      for (BasicBlock& block : region_)
        if (inRow_.hasDivergentTerminator(block) || inColumn_.hasDivergentTerminator(block))
          changed |= assume(block);
    // A bound that is chosen may be limited before a loop is left at it.
    const bool hasBounds = withBounds && assumeAll<llvm::SelectInst>();
    changed |= assumeAll<llvm::MinMaxIntrinsic>();
    // The analyses know all blocks until here.
    if (changed || hasBounds)
      llvm::removeUnreachableBlocks(region_);
    return hasBounds ? Assumed::BoundsOfLoops : changed ? Assumed::Conditions : Assumed::Nothing;
  }

private:
  /// Assumes what can be of the instructions of one kind that run.
  template <typename Kind> bool assumeAll() {
    llvm::SmallVector<Kind*> all;
    for (BasicBlock* block : llvm::depth_first(&region_.getEntryBlock()))
      for (llvm::Instruction& instruction : *block)
        if (auto* one = llvm::dyn_cast<Kind>(&instruction))
          all.push_back(one);
    bool changed = false;
    for (Kind* one : all)
      changed |= assume(*one);
    return changed;
  }

  /// Whether the entry block does something before `end` that a guard must come before.
  bool hasEffects(BasicBlock::iterator end) {
    return llvm::any_of(llvm::make_range(region_.getEntryBlock().begin(), end),
                        [](const llvm::Instruction& instruction) {
                          return instruction.mayHaveSideEffects() && !isPacketGuard(instruction);
                        });
  }

  /// Images clamp coordinates so: away from edges, the least or greatest of a place and a limit is
  /// the place.
  bool assume(llvm::MinMaxIntrinsic& limited) {
    if (isSame(&limited))
      return false;
    Value *place = limited.getLHS(), *limit = limited.getRHS();
    if (!isOfPlace(place))
      std::swap(place, limit);
    if (!isOfPlace(place) || isOfPlace(limit) || !place->getType()->isIntegerTy())
      return false;
    return replaceWhere(limited, *place, [&] {
      return compare(llvm::ICmpInst::getNonStrictPredicate(limited.getPredicate()), place, limit,
                     *limited.getParent());
    });
  }

  /// Takes `value` for `number` where the condition that `holds` makes is true; not where there is
  /// none. What the entry block does behind `number` comes after the guard.
  bool replaceWhere(llvm::Instruction& number, Value& value, llvm::function_ref<Value*()> holds) {
    builder_.SetInsertPoint(isAtStart(&number) ? &number : region_.getEntryBlock().getTerminator());
    Value* condition = hasEffects(builder_.GetInsertPoint()) ? nullptr : holds();
    if (!condition)
      return false;
    addPacketGuard(builder_, condition);
    number.replaceAllUsesWith(&value);
    number.eraseFromParent();
    return true;
  }

  /// Loops over what is near a place begin later or end sooner at edges. Elsewhere they run from
  /// the bound that is the same for all work-items, or to it.
  bool assume(llvm::SelectInst& choice) {
    if (isSame(&choice) || !choice.getType()->isIntegerTy() || !isOfPlace(choice.getCondition()) ||
        !boundsLoop(choice))
      return false;
    const std::optional<bool> wanted = usual(choice);
    return wanted &&
           replaceWhere(choice, *wanted ? *choice.getTrueValue() : *choice.getFalseValue(), [&] {
             return always(choice.getCondition(), *wanted, *choice.getParent());
           });
  }

  /// What the condition of `choice` is but at edges: that for which all work-items choose the same,
  /// or, where they do in both cases, that an equation which one place solves does not hold.
  std::optional<bool> usual(const llvm::SelectInst& choice) const {
    const bool isTrueSame = isSame(choice.getTrueValue());
    if (isTrueSame != isSame(choice.getFalseValue()))
      return isTrueSame;
    const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(choice.getCondition());
    return isTrueSame && comparison && comparison->isEquality() &&
                   isSolvedOnce(*comparison, shapes_) && isSolvedOnce(*comparison, columnShapes_)
               ? std::optional(comparison->getPredicate() == CmpInst::ICMP_NE)
               : std::nullopt;
  }

  /// Whether an equation holds for one work-item of a row, or of a column, at most, or for all: not
  /// for every other one, as that of a remainder does.
  static bool isSolvedOnce(const llvm::ICmpInst& equation, const Shapes& shapes) {
    return llvm::none_of(equation.operands(),
                         [&](const llvm::Use& operand) { return shapes.of(operand).isVarying(); });
  }

  /// Whether all work-items of a tile have `value`.
  bool isSame(const Value* value) const {
    return inRow_.isUniform(*value) && inColumn_.isUniform(*value);
  }

  /// Whether a counter begins with `bound`, or a loop ends by a comparison with it, perhaps after
  /// something is added, or within limits.
  bool boundsLoop(const llvm::Instruction& bound, unsigned depth = 0) const {
    constexpr unsigned deepest = 3;
    return llvm::any_of(bound.users(), [&](const llvm::User* user) {
      const auto& next = llvm::cast<llvm::Instruction>(*user);
      const llvm::Loop* loop = loops_.getLoopFor(next.getParent());
      const bool isEntered = loop && !loop->contains(&bound);
      if (llvm::isa<llvm::PHINode>(next))
        return isEntered && loop->getHeader() == next.getParent() &&
               (isComparedAtExit(next, *loop) || llvm::any_of(next.users(), [&](const auto* of) {
                  return llvm::isa<llvm::BinaryOperator>(of) &&
                         isComparedAtExit(*llvm::cast<llvm::Instruction>(of), *loop);
                }));
      if (llvm::isa<llvm::ICmpInst>(next))
        return isEntered && isComparedAtExit(bound, *loop);
      return depth < deepest &&
             llvm::isa<llvm::CastInst, llvm::BinaryOperator, llvm::MinMaxIntrinsic>(next) &&
             boundsLoop(next, depth + 1);
    });
  }

  static bool isComparedAtExit(const llvm::Instruction& number, const llvm::Loop& loop) {
    return llvm::any_of(number.users(), [&](const llvm::User* comparison) {
      return llvm::isa<llvm::ICmpInst>(comparison) &&
             llvm::any_of(comparison->users(), [&](const llvm::User* user) {
               const auto* branch = llvm::dyn_cast<llvm::BranchInst>(user);
               return branch && loop.contains(branch->getParent()) &&
                      loop.isLoopExiting(branch->getParent());
             });
    });
  }

  bool assume(BasicBlock& block) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    const llvm::DomTreeNode* node = joins_.getNode(&block);
    BasicBlock* join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    if (!branch || !join || loops_.getLoopFor(join) != loops_.getLoopFor(&block))
      return false;
    const std::optional<bool> wanted = usual(*branch, *join);
    if (!wanted)
      return false;
    Value* holds = always(branch->getCondition(), *wanted, block);
    if (!holds)
      return false;
    guardBranch(builder_, *branch, *wanted, holds);
    return true;
  }

  /// What the condition of `branch` is but at edges: one that skips something does not, and one
  /// that chooses is true where an id lies within limits.
  std::optional<bool> usual(const llvm::BranchInst& branch, const BasicBlock& join) {
    Value* condition = branch.getCondition();
    const bool skipsOnTrue = branch.getSuccessor(0) == &join;
    if (skipsOnTrue || branch.getSuccessor(1) == &join)
      return branch.getSuccessor(0) != branch.getSuccessor(1) && isOfPlace(condition)
                 ? std::optional(!skipsOnTrue)
                 : std::nullopt;
    for (const bool wanted : {true, false})
      if (isWithinLimits(condition, wanted) && isOfPlace(condition))
        return wanted;
    return std::nullopt;
  }

  /// Whether it takes several comparisons of ids for `condition` to be `wanted`.
  bool isWithinLimits(Value* condition, bool wanted) {
    const LanePredicate parts = lanePredicate(condition, wanted);
    return parts.size() > 1 && llvm::all_of(parts, [this](const LanePart& part) {
             return llvm::isa<llvm::ICmpInst>(part.condition) && isOfPlace(part.condition);
           });
  }

  /// Whether `condition` is one on places in the data: on global ids, or on sums of local ids and
  /// something that changes. Those on local ids alone often fail in each work-group, and those on
  /// data may seldom hold.
  bool isOfPlace(Value* condition) {
    llvm::SmallSetVector<Value*, 16> parts;
    parts.insert(condition);
    bool isOfId = false;
    for (unsigned i = 0; i < parts.size() && i < 64; ++i) {
      isOfId |= isPlace(parts[i]);
      auto* instruction = llvm::dyn_cast<llvm::Instruction>(parts[i]);
      if (instruction && instruction->mayReadFromMemory() && !loadsOfGroup(*instruction) &&
          !loadsOfLaunch(*instruction))
        return false;
      if (instruction)
        parts.insert(instruction->op_begin(), instruction->op_end());
    }
    return isOfId;
  }

  bool isPlace(Value* value) const {
    for (unsigned dimension = 0; dimension < 3; ++dimension) {
      Value* other = nullptr;
      if (value == implicitArgument(region_, ImplicitArgument::First, dimension) ||
          (match(value,
                 m_c_Add(m_Specific(implicitArgument(region_, ImplicitArgument::Item, dimension)),
                         m_Value(other))) &&
           !llvm::isa<llvm::Constant>(other)))
        return true;
    }
    return false;
  }

  /// Whether `instruction` loads what another region found for the whole group.
  bool loadsOfGroup(const llvm::Instruction& instruction) const {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return load && leadsInto(region_, load->getPointerOperand(), RegionParameter::UniformsIn);
  }

  /// Whether `instruction` loads what the launch says, such as the global size.
  bool loadsOfLaunch(const llvm::Instruction& instruction) const {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return load && llvm::getUnderlyingObject(load->getPointerOperand(), 0) ==
                       implicitArgument(region_, ImplicitArgument::Launch);
  }

  /// Whether `condition` is `wanted` whenever `block` asks, as a value at the region's start.
  Value* always(Value* condition, bool wanted, const BasicBlock& block) {
    Value* all = nullptr;
    for (const LanePart& part : lanePredicate(condition, wanted)) {
      Value* one = always(part, block);
      if (!one)
        return nullptr;
      all = all ? builder_.CreateLogicalAnd(all, one) : one;
    }
    return all;
  }

  Value* always(const LanePart& part, const BasicBlock& block) {
    auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(part.condition);
    const bool wanted = part.wanted;
    if (!comparison || !comparison->getOperand(0)->getType()->isIntegerTy())
      return nullptr;
    // Hardly any place is the one of an equation.
    if (comparison->getPredicate() == (wanted ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE))
      return nullptr;
    if (comparison->isEquality() && !isSolvedOnce(*comparison, shapes_))
      return nullptr;
    if (isAtStart(comparison))
      return wanted ? comparison : builder_.CreateNot(comparison);
    if (!comparison->isRelational())
      return nullptr;
    if (canRematerialise(comparison, [this](const Value* part) { return isAtStart(part); })) {
      Value* sooner = rematerialise(
          builder_, comparison, [this](Value* part) { return isAtStart(part) ? part : nullptr; });
      return wanted ? sooner : builder_.CreateNot(sooner);
    }
    return compare(wanted ? comparison->getPredicate() : comparison->getInversePredicate(),
                   comparison->getOperand(0), comparison->getOperand(1), block);
  }

  Value* compare(CmpInst::Predicate predicate, Value* left, Value* right, const BasicBlock& block) {
    const bool isSigned = CmpInst::isSigned(predicate);
    const bool isLess = llvm::ICmpInst::isLT(predicate) || llvm::ICmpInst::isLE(predicate);
    Value* a = side(left, /*greatest=*/isLess, isSigned, block);
    Value* b = a ? side(right, /*greatest=*/!isLess, isSigned, block) : nullptr;
    if (!b)
      return nullptr;
    Value* holds = builder_.CreateICmp(predicate, a, b);
    if (isSigned)
      return holds;
    // As unsigned numbers, those below 0 would be the greatest.
    for (Value* operand : {left, right})
      if (!isAtStart(operand) && !shapes_.range(operand).isAllNonNegative())
        holds = builder_.CreateAnd(
            holds, builder_.CreateICmpSGE(bound(operand, /*greatest=*/false, block, 0),
                                          builder_.getInt64(0)));
    return holds;
  }

  Value* side(Value* value, bool greatest, bool isSigned, const BasicBlock& block) {
    if (!isAtStart(value) || value->getType()->getIntegerBitWidth() > 64)
      return bound(value, greatest, block, 0);
    llvm::Type* int64 = builder_.getInt64Ty();
    return isSigned ? builder_.CreateSExt(value, int64) : builder_.CreateZExt(value, int64);
  }

  bool isAtStart(const Value* value) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return !instruction || instruction->getParent() == &region_.getEntryBlock();
  }

  /// The least or the greatest that a signed number gets where `block` runs, as one of 64 bits that
  /// is not wrapped.
  Value* bound(Value* value, bool greatest, const BasicBlock& block, unsigned depth) {
    const unsigned bits = value->getType()->getIntegerBitWidth();
    if ((bits != 32 && bits != 64) || depth > ShapeLimits::bounds)
      return nullptr;
    if (isAtStart(value))
      return builder_.CreateSExt(value, builder_.getInt64Ty());
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(value))
      return ofCounter(*phi, greatest, block);
    auto& instruction = llvm::cast<llvm::Instruction>(*value);
    const auto ofOperand = [&](unsigned number, bool isGreatest) {
      return bound(instruction.getOperand(number), isGreatest, block, depth + 1);
    };
    switch (instruction.getOpcode()) {
    case llvm::Instruction::Trunc:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt:
      return keepsNumber(llvm::cast<llvm::CastInst>(instruction)) ? ofOperand(0, greatest)
                                                                  : nullptr;
    case llvm::Instruction::Xor: {
      // All bits turned: -1 minus the number.
      Value* turned = match(value, m_Not(m_Value())) ? ofOperand(0, !greatest) : nullptr;
      return turned ? builder_.CreateNot(turned) : nullptr;
    }
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub: {
      const bool isSub = instruction.getOpcode() == llvm::Instruction::Sub;
      Value* a = mayWrap(instruction) ? nullptr : ofOperand(0, greatest);
      Value* b = a ? ofOperand(1, greatest != isSub) : nullptr;
      return !b ? nullptr : isSub ? builder_.CreateSub(a, b) : builder_.CreateAdd(a, b);
    }
    default:
      return nullptr;
    }
  }

  bool keepsNumber(const llvm::CastInst& conversion) {
    const llvm::ConstantRange from = shapes_.range(conversion.getOperand(0));
    if (conversion.getOpcode() == llvm::Instruction::ZExt)
      return from.isAllNonNegative();
    const unsigned bits = conversion.getType()->getIntegerBitWidth();
    return from.getSignedMin().isSignedIntN(bits) && from.getSignedMax().isSignedIntN(bits);
  }

  /// Whether a sum may not be that of its operands where the block runs. The program only promises
  /// something of sums that it makes, not of their bounds, unless those have bits to spare.
  bool mayWrap(const llvm::Instruction& sum) {
    if (sum.hasNoSignedWrap() && sum.getType()->isIntegerTy(32))
      return false;
    const llvm::ConstantRange a = shapes_.range(sum.getOperand(0)),
                              b = shapes_.range(sum.getOperand(1));
    return (sum.getOpcode() == llvm::Instruction::Add
                ? a.signedAddMayOverflow(b)
                : a.signedSubMayOverflow(b)) != llvm::ConstantRange::OverflowResult::NeverOverflows;
  }

  /// Of a counter that begins with a known number and changes by another one.
  Value* ofCounter(const llvm::PHINode& phi, bool greatest, const BasicBlock& block) {
    const auto* counter =
        llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(const_cast<llvm::PHINode*>(&phi)));
    if (!counter || !counter->isAffine() || !counter->getLoop()->contains(&block) ||
        counter->getLoop()->getHeader() != phi.getParent())
      return nullptr;
    const auto* start = llvm::dyn_cast<llvm::SCEVConstant>(counter->getStart());
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(counter->getStepRecurrence(evolution_));
    const unsigned iterations = evolution_.getSmallConstantMaxTripCount(counter->getLoop());
    if (!start || !step || iterations == 0 || iterations > maxIterations ||
        !start->getAPInt().isSignedIntN(24) || !step->getAPInt().isSignedIntN(16))
      return nullptr;
    const int64_t first = start->getAPInt().getSExtValue();
    const int64_t last = first + step->getAPInt().getSExtValue() * (int64_t{iterations} - 1);
    return builder_.getInt64(
        static_cast<uint64_t>(greatest ? std::max(first, last) : std::min(first, last)));
  }

  llvm::Function& region_;
  const Uniformity &inRow_, &inColumn_;
  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  const Shapes &shapes_, &columnShapes_; ///< before anything is taken out
  llvm::PostDominatorTree joins_;
  llvm::IRBuilder<> builder_;
};

} // namespace

Assumed assumeConditions(llvm::Function& region, bool withBounds,
                         llvm::FunctionAnalysisManager& analyses) {
  return Assumptions(region, analyses).run(withBounds);
}

} // namespace quern::compiler
