#include "compiler/packets/active_range.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/region_function.h"
#include "compiler/packets/lane_predicate.h"

namespace quern::compiler {
namespace {

using llvm::BasicBlock;
using llvm::CmpInst;
using llvm::Value;

/// Work-items of a row, from `begin` to before `end`; both are numbers of 64 bits.
struct Range {
  Value *begin, *end;
};

/// Whether any work-item may do it for all.
bool storesForGroup(llvm::Function& region, const llvm::Instruction& instruction) {
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  return store && store->hasMetadata(names::uniformMetadata) &&
         leadsInto(region, store->getPointerOperand(), RegionParameter::UniformsOut);
}

/// Whether a copy may give another value than `instruction`: where what it freezes is undefined.
/// The arguments of a kernel are defined.
bool mayChooseAgain(const llvm::Instruction& instruction) {
  const auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(&instruction);
  return freeze && !llvm::isa<llvm::Argument>(freeze->getOperand(0)) &&
         !llvm::isGuaranteedNotToBeUndefOrPoison(freeze->getOperand(0));
}

/// The conditions at the start of a region, again, for the first work-item of a row.
class ActiveRange {
public:
  ActiveRange(llvm::Function& region, llvm::FunctionAnalysisManager& analyses)
      : region_(region),
        uniformity_(analyses.getResult<UniformityAnalysis>(region).of(UniformityRoot::row())),
        shapes_(analyses.getResult<ShapeAnalysis>(region).of(UniformityRoot::row())),
        builder_(region.getContext()) {}

  llvm::Function* run() {
    llvm::Type* int64 = builder_.getInt64Ty();
    function_ = llvm::Function::Create(
        llvm::FunctionType::get(int64, region_.getFunctionType()->params(), false),
        llvm::GlobalValue::InternalLinkage, region_.getName() + ".active_range");
    function_->addFnAttr(region_.getFnAttribute(names::argumentsAttribute));
    region_.getParent()->getFunctionList().insert(std::next(region_.getIterator()), function_);
    for (llvm::Argument& argument : region_.args())
      copies_[&argument] = function_->getArg(argument.getArgNo());
    copies_[implicitArgument(region_, ImplicitArgument::Item, 0)] = builder_.getInt64(0);
    for (llvm::Argument* own : {implicitArgument(region_, ImplicitArgument::Item, 1),
                                implicitArgument(region_, ImplicitArgument::Item, 2),
                                regionParameter(region_, RegionParameter::ItemIndex)})
      copies_[own] = nullptr;
    size_ = implicitArgument(*function_, ImplicitArgument::Size, 0);
    builder_.SetInsertPoint(BasicBlock::Create(region_.getContext(), "start", function_));
    follow(region_.getEntryBlock(), {builder_.getInt64(0), size_}, /*all=*/true);
    if (isBounded_)
      return function_;
    function_->eraseFromParent();
    return nullptr;
  }

private:
  /// What comes from `block` on, of which only the work-items in `range` do anything; `all`: so far
  /// all have come along.
  void follow(const BasicBlock& block, Range range, bool all) {
    if (!seen_.insert(&block).second || !copy(block, all)) {
      leave(range);
      return;
    }
    if (const BasicBlock* next = block.getSingleSuccessor()) {
      followTo(*next, range, all);
      return;
    }
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch)
      leave(range);
    else if (uniformity_.isUniform(*branch->getCondition()))
      followBoth(*branch, range, all);
    else
      followGuard(*branch, range);
  }

  void followTo(const BasicBlock& next, Range range, bool all) {
    if (next.getSinglePredecessor())
      follow(next, range, all);
    else
      leave(range);
  }

  void followBoth(const llvm::BranchInst& branch, Range range, bool all) {
    Value* condition = copyOf(branch.getCondition());
    if (!condition) {
      leave(range);
      return;
    }
    BasicBlock* sides[2];
    for (BasicBlock*& side : sides)
      side = BasicBlock::Create(region_.getContext(), "", function_);
    builder_.CreateCondBr(condition, sides[0], sides[1]);
    for (unsigned i = 0; i < 2; ++i) {
      builder_.SetInsertPoint(sides[i]);
      followTo(*branch.getSuccessor(i), range, all);
    }
  }

  void followGuard(const llvm::BranchInst& branch, Range range) {
    const bool idleOnTrue = endsIdly(region_, branch.getSuccessor(0));
    if (idleOnTrue == endsIdly(region_, branch.getSuccessor(1))) {
      leave(range);
      return;
    }
    for (const LanePart& part : lanePredicate(branch.getCondition(), !idleOnTrue))
      range = limit(range, part);
    followTo(*branch.getSuccessor(idleOnTrue ? 1 : 0), range, /*all=*/false);
  }

  void leave(Range range) {
    builder_.CreateRet(builder_.CreateOr(range.begin, builder_.CreateShl(range.end, 32)));
  }

  /// Null for what depends on more than the place in the row.
  Value* copyOf(Value* value) const {
    const auto found = copies_.find(value);
    return found != copies_.end()                                ? found->second
           : llvm::isa<llvm::Instruction, llvm::Argument>(value) ? nullptr
                                                                 : value;
  }

  /// False where the block does something. What not all work-items come to may not fault.
  bool copy(const BasicBlock& block, bool all) {
    for (const llvm::Instruction& instruction : block) {
      if (instruction.isTerminator() || instruction.isDebugOrPseudoInst())
        continue;
      if (instruction.mayHaveSideEffects() || llvm::isa<llvm::AllocaInst>(instruction))
        return false;
      if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
        copies_[phi] =
            phi->getNumIncomingValues() == 1 ? copyOf(phi->getIncomingValue(0)) : nullptr;
        continue;
      }
      copies_[&instruction] = nullptr;
      if (mayChooseAgain(instruction))
        continue;
      if (!(all || llvm::isSafeToSpeculativelyExecute(&instruction)) ||
          !llvm::all_of(instruction.operands(),
                        [&](const llvm::Use& operand) { return copyOf(operand.get()); }))
        continue;
      llvm::Instruction* copy = instruction.clone();
      for (llvm::Use& operand : copy->operands())
        operand = copyOf(operand.get());
      copies_[&instruction] = builder_.Insert(copy);
    }
    return true;
  }

  /// Those of `range` for which `part` may hold.
  Range limit(Range range, const LanePart& part) {
    if (Value* same = copyOf(part.condition); same && shapes_.of(part.condition).isUniform()) {
      Value* nobody = builder_.getInt64(0);
      return {range.begin, part.wanted ? builder_.CreateSelect(same, range.end, nobody)
                                       : builder_.CreateSelect(same, nobody, range.end)};
    }
    const auto comparison = laneComparison(part, shapes_);
    if (!comparison || std::abs(comparison->shape.stride) != 1 ||
        comparison->predicate == CmpInst::ICMP_NE)
      return range;
    Value *start = copyOf(comparison->number), *end = copyOf(comparison->limit);
    if (!start || !end)
      return range;
    isBounded_ = true;
    return intersection(range,
                        solve(comparison->predicate, start, end, comparison->shape.stride > 0));
  }

  /// The work-items for which `start` plus (minus, if not `rises`) their number in the row compares
  /// with `bound` so.
  Range solve(CmpInst::Predicate predicate, Value* start, Value* bound, bool rises) {
    Value* zero = builder_.getInt64(0);
    llvm::Type* type = start->getType();
    Value* count = builder_.CreateTrunc(size_, type);
    Value* last = builder_.CreateSub(count, llvm::ConstantInt::get(type, 1));
    Value *high = rises ? bound : start, *low = rises ? start : bound;
    Value* distance = builder_.CreateSub(high, low);
    const auto wide = [&](Value* value) { return builder_.CreateZExt(value, zero->getType()); };
    if (predicate == CmpInst::ICMP_EQ) {
      Value* isHere = builder_.CreateICmpULT(distance, count);
      Value* begin = builder_.CreateSelect(isHere, wide(distance), zero);
      return {begin, builder_.CreateAdd(begin, wide(isHere))};
    }
    const bool isSigned = CmpInst::isSigned(predicate);
    const auto least = [&](Value* a, Value* b) {
      return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, b);
    };
    // Below `distance`, or with it.
    const auto below = [&](bool inclusive) {
      Value* some =
          builder_.CreateICmp(isSigned ? (inclusive ? CmpInst::ICMP_SGE : CmpInst::ICMP_SGT)
                                       : (inclusive ? CmpInst::ICMP_UGE : CmpInst::ICMP_UGT),
                              high, low);
      Value* items = inclusive
                         ? builder_.CreateAdd(wide(least(distance, last)), builder_.getInt64(1))
                         : wide(least(distance, count));
      return builder_.CreateSelect(some, items, zero);
    };
    const bool isLess = llvm::ICmpInst::isLT(predicate) || llvm::ICmpInst::isLE(predicate);
    const bool isStrict = CmpInst::isStrictPredicate(predicate);
    Range result = isLess == rises ? Range{zero, below(!isStrict)} : Range{below(isStrict), size_};
    // Numbers that wrap on the way are in no order.
    const llvm::Intrinsic::ID operation = rises ? (isSigned ? llvm::Intrinsic::sadd_with_overflow
                                                            : llvm::Intrinsic::uadd_with_overflow)
                                                : (isSigned ? llvm::Intrinsic::ssub_with_overflow
                                                            : llvm::Intrinsic::usub_with_overflow);
    Value* wraps =
        builder_.CreateExtractValue(builder_.CreateBinaryIntrinsic(operation, start, last), 1);
    return {builder_.CreateSelect(wraps, zero, result.begin),
            builder_.CreateSelect(wraps, size_, result.end)};
  }

  Range intersection(Range a, Range b) {
    return {builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, a.begin, b.begin),
            builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a.end, b.end)};
  }

  llvm::Function& region_;
  const Uniformity& uniformity_;
  const Shapes& shapes_;
  llvm::IRBuilder<> builder_;
  llvm::Function* function_ = nullptr;
  Value* size_ = nullptr;
  llvm::DenseMap<const Value*, Value*> copies_;
  llvm::SmallPtrSet<const BasicBlock*, 8> seen_;
  bool isBounded_ = false;
};

} // namespace

bool endsIdly(llvm::Function& region, const llvm::BasicBlock* block) {
  for (llvm::SmallPtrSet<const BasicBlock*, 4> seen; block && seen.insert(block).second;
       block = block->getSingleSuccessor()) {
    for (const llvm::Instruction& instruction : *block)
      if (instruction.mayHaveSideEffects() && !storesForGroup(region, instruction))
        return false;
    if (llvm::isa<llvm::ReturnInst>(block->getTerminator()))
      return true;
  }
  return false;
}

llvm::Function* makeActiveRange(llvm::Function& region, llvm::FunctionAnalysisManager& analyses) {
  return ActiveRange(region, analyses).run();
}

} // namespace quern::compiler
