#include "compiler/packets/assumptions.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/packet_condition.h"
#include "compiler/il/region_function.h"
#include "compiler/il/uniformity.h"

namespace quern::compiler {
namespace {

using namespace llvm::PatternMatch;
using llvm::BasicBlock;
using llvm::CmpInst;
using llvm::Value;

/// A loop of more iterations may have a condition that cuts it short on purpose.
constexpr unsigned maxIterations = 64;
constexpr unsigned maxDepth = 6;
constexpr int64_t maxInt = INT32_MAX, minInt = INT32_MIN;

/// The least or the greatest that an integer gets, as a number of 64 bits that is not wrapped, and
/// what is known of it.
struct Bound {
  Value* value;
  int64_t low, high;
};

class Assumptions {
public:
  Assumptions(llvm::Function& region, llvm::FunctionAnalysisManager& analyses)
      : region_(region),
        inRow_(analyses.getResult<UniformityAnalysis>(region).of(UniformityRoot::row())),
        inColumn_(analyses.getResult<UniformityAnalysis>(region).of(UniformityRoot::column())),
        loops_(analyses.getResult<llvm::LoopAnalysis>(region)),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(region)), joins_(region),
        builder_(region.getEntryBlock().getTerminator()) {}

  bool run() {
    if (llvm::any_of(region_.getEntryBlock(), [](const llvm::Instruction& instruction) {
          return instruction.mayHaveSideEffects() && !isPacketGuard(instruction);
        }))
      return false;
    bool changed = false;
    for (BasicBlock& block : region_)
      if (inRow_.hasDivergentTerminator(block) || inColumn_.hasDivergentTerminator(block))
        changed |= assume(block);
    if (changed)
      llvm::removeUnreachableBlocks(region_);
    return changed;
  }

private:
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
    BasicBlock* body = branch->getSuccessor(*wanted ? 0 : 1);
    BasicBlock* other = branch->getSuccessor(*wanted ? 1 : 0);
    addPacketGuard(builder_, holds);
    other->removePredecessor(&block);
    auto* straight = llvm::BranchInst::Create(body, branch->getIterator());
    branch->eraseFromParent();
    if (&block == &region_.getEntryBlock())
      builder_.SetInsertPoint(straight);
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
    Value *a = nullptr, *b = nullptr;
    if (match(condition, m_Not(m_Value(a))))
      return isWithinLimits(a, !wanted);
    const auto isOfIds = [&](Value* part) {
      return isWithinLimits(part, wanted) || (llvm::isa<llvm::ICmpInst>(part) && isOfPlace(part));
    };
    return (wanted ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
                   : match(condition, m_LogicalOr(m_Value(a), m_Value(b)))) &&
           isOfIds(a) && isOfIds(b);
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
      if (instruction && instruction->mayReadFromMemory() && !loadsOfGroup(*instruction))
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
    return load && llvm::getUnderlyingObject(load->getPointerOperand(), 0) ==
                       regionParameter(region_, RegionParameter::UniformsIn);
  }

  /// Whether `condition` is `wanted` whenever `block` asks, as a value at the region's start.
  Value* always(Value* condition, bool wanted, const BasicBlock& block) {
    Value *a = nullptr, *b = nullptr;
    if (match(condition, m_Not(m_Value(a))))
      return always(a, !wanted, block);
    if (wanted ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
               : match(condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
      Value* first = always(a, wanted, block);
      Value* second = first ? always(b, wanted, block) : nullptr;
      return second ? builder_.CreateAnd(first, second) : nullptr;
    }
    auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(condition);
    if (!comparison || !comparison->getOperand(0)->getType()->isIntegerTy())
      return nullptr;
    if (isAtStart(comparison))
      return wanted ? comparison : builder_.CreateNot(comparison);
    if (!comparison->isRelational())
      return nullptr;
    if (Value* sooner = atStart(comparison, 0))
      return wanted ? sooner : builder_.CreateNot(sooner);
    return compare(wanted ? comparison->getPredicate() : comparison->getInversePredicate(),
                   comparison->getOperand(0), comparison->getOperand(1), block);
  }

  Value* compare(CmpInst::Predicate predicate, Value* left, Value* right, const BasicBlock& block) {
    const bool isSigned = CmpInst::isSigned(predicate);
    const bool isLess = llvm::ICmpInst::isLT(predicate) || llvm::ICmpInst::isLE(predicate);
    const std::optional<Bound> a = side(left, /*greatest=*/isLess, isSigned, block);
    const std::optional<Bound> b = side(right, /*greatest=*/!isLess, isSigned, block);
    if (!a || !b)
      return nullptr;
    Value* holds = builder_.CreateICmp(predicate, a->value, b->value);
    if (isSigned)
      return holds;
    // As unsigned numbers, those below 0 would be the greatest.
    for (Value* operand : {left, right}) {
      if (isAtStart(operand))
        continue;
      const std::optional<Bound> least = bound(operand, /*greatest=*/false, block, 0);
      if (least->low < 0)
        holds =
            builder_.CreateAnd(holds, builder_.CreateICmpSGE(least->value, builder_.getInt64(0)));
    }
    return holds;
  }

  std::optional<Bound> side(Value* value, bool greatest, bool isSigned, const BasicBlock& block) {
    if (!isAtStart(value) || value->getType()->getIntegerBitWidth() > 64)
      return bound(value, greatest, block, 0);
    llvm::Type* int64 = builder_.getInt64Ty();
    return Bound{isSigned ? builder_.CreateSExt(value, int64) : builder_.CreateZExt(value, int64),
                 0, 0};
  }

  bool isAtStart(const Value* value) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return !instruction || instruction->getParent() == &region_.getEntryBlock();
  }

  /// A copy of `value` there, if all that it is made from is.
  Value* atStart(Value* value, unsigned depth) {
    if (isAtStart(value))
      return value;
    auto* instruction = llvm::cast<llvm::Instruction>(value);
    if (depth > maxDepth || llvm::isa<llvm::PHINode>(instruction) ||
        instruction->mayReadFromMemory() || !llvm::isSafeToSpeculativelyExecute(instruction))
      return nullptr;
    llvm::SmallVector<Value*, 4> operands;
    for (Value* operand : instruction->operands()) {
      operands.push_back(atStart(operand, depth + 1));
      if (!operands.back())
        return nullptr;
    }
    llvm::Instruction* copy = instruction->clone();
    for (unsigned i = 0; i < operands.size(); ++i)
      copy->setOperand(i, operands[i]);
    return builder_.Insert(copy);
  }

  /// Of a signed number.
  std::optional<Bound> bound(Value* value, bool greatest, const BasicBlock& block, unsigned depth) {
    const unsigned bits = value->getType()->getIntegerBitWidth();
    if ((bits != 32 && bits != 64) || depth > maxDepth)
      return std::nullopt;
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value))
      return fixed(constant->getSExtValue());
    if (isAtStart(value)) {
      Value* wide = builder_.CreateSExt(value, builder_.getInt64Ty());
      if (isId(value))
        return Bound{wide, 0, maxInt};
      return Bound{wide, bits == 32 ? minInt : INT64_MIN, bits == 32 ? maxInt : INT64_MAX};
    }
    auto& instruction = llvm::cast<llvm::Instruction>(*value);
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(value))
      return ofCounter(*phi, greatest, block);
    switch (instruction.getOpcode()) {
    case llvm::Instruction::Trunc: {
      const std::optional<Bound> from =
          bound(instruction.getOperand(0), greatest, block, depth + 1);
      return from && from->low >= minInt && from->high <= maxInt ? from : std::nullopt;
    }
    case llvm::Instruction::ZExt: {
      const std::optional<Bound> from =
          bound(instruction.getOperand(0), greatest, block, depth + 1);
      return from && from->low >= 0 ? from : std::nullopt;
    }
    case llvm::Instruction::SExt:
      return bound(instruction.getOperand(0), greatest, block, depth + 1);
    case llvm::Instruction::Xor: {
      // All bits turned: -1 minus the number.
      Value* from = nullptr;
      const std::optional<Bound> turned = match(value, m_Not(m_Value(from)))
                                              ? bound(from, !greatest, block, depth + 1)
                                              : std::nullopt;
      if (!turned)
        return std::nullopt;
      return Bound{builder_.CreateNot(turned->value), ~turned->high, ~turned->low};
    }
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
      return ofSum(llvm::cast<llvm::BinaryOperator>(instruction), greatest, block, depth);
    default:
      return std::nullopt;
    }
  }

  /// Packets run where ids are below 2^31.
  bool isId(Value* value) const {
    Value* from = value;
    if (!match(value, m_Trunc(m_Value(from))))
      from = value;
    llvm::Argument* item = implicitArgument(region_, ImplicitArgument::Item);
    return from == item ||
           match(from, m_c_Add(m_Specific(implicitArgument(region_, ImplicitArgument::First)),
                               m_Specific(item)));
  }

  Bound fixed(int64_t value) {
    return {builder_.getInt64(static_cast<uint64_t>(value)), value, value};
  }

  std::optional<Bound> ofCounter(const llvm::PHINode& phi, bool greatest, const BasicBlock& block) {
    const auto* counter =
        llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(const_cast<llvm::PHINode*>(&phi)));
    if (!counter || !counter->isAffine() || !counter->getLoop()->contains(&block) ||
        counter->getLoop()->getHeader() != phi.getParent())
      return std::nullopt;
    const auto* start = llvm::dyn_cast<llvm::SCEVConstant>(counter->getStart());
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(counter->getStepRecurrence(evolution_));
    const unsigned iterations = evolution_.getSmallConstantMaxTripCount(counter->getLoop());
    if (!start || !step || iterations == 0 || iterations > maxIterations ||
        !start->getAPInt().isSignedIntN(24) || !step->getAPInt().isSignedIntN(16))
      return std::nullopt;
    const int64_t first = start->getAPInt().getSExtValue();
    const int64_t last = first + step->getAPInt().getSExtValue() * (int64_t{iterations} - 1);
    return Bound{builder_.getInt64(static_cast<uint64_t>(greatest ? std::max(first, last)
                                                                  : std::min(first, last))),
                 std::min(first, last), std::max(first, last)};
  }

  /// Only a sum that does not wrap where the block runs.
  std::optional<Bound> ofSum(const llvm::BinaryOperator& sum, bool greatest,
                             const BasicBlock& block, unsigned depth) {
    const bool isSub = sum.getOpcode() == llvm::Instruction::Sub;
    const std::optional<Bound> a = bound(sum.getOperand(0), greatest, block, depth + 1);
    const std::optional<Bound> b = bound(sum.getOperand(1), greatest != isSub, block, depth + 1);
    int64_t low = 0, high = 0;
    if (!a || !b)
      return std::nullopt;
    const bool overflows =
        isSub ? llvm::SubOverflow(a->low, b->high, low) | llvm::SubOverflow(a->high, b->low, high)
              : llvm::AddOverflow(a->low, b->low, low) | llvm::AddOverflow(a->high, b->high, high);
    const bool isNarrow = sum.getType()->isIntegerTy(32);
    const bool fits = !overflows && (!isNarrow || (low >= minInt && high <= maxInt));
    // The program only promises something of sums that it makes.
    if (!fits && !(isNarrow && !overflows && sum.hasNoSignedWrap()))
      return std::nullopt;
    return Bound{isSub ? builder_.CreateSub(a->value, b->value)
                       : builder_.CreateAdd(a->value, b->value),
                 fits ? low : std::max(low, minInt), fits ? high : std::min(high, maxInt)};
  }

  llvm::Function& region_;
  const Uniformity &inRow_, &inColumn_;
  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  llvm::PostDominatorTree joins_;
  llvm::IRBuilder<> builder_;
};

} // namespace

bool assumeConditions(llvm::Function& region, llvm::FunctionAnalysisManager& analyses) {
  return Assumptions(region, analyses).run();
}

} // namespace quern::compiler
