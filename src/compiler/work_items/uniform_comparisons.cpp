#include "compiler/work_items/uniform_comparisons.h"

#include <optional>

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/il/loop.h"
#include "compiler/il/names.h"
#include "compiler/il/preserved_analyses.h"
#include "compiler/il/uniformity.h"

namespace quern::compiler {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Of a sum that is looked at.
constexpr unsigned maxTerms = 8, maxTermDepth = 12;
/// What values have at most, and factors in the program and multiplied with each other: so no sum
/// leaves 64 bits.
constexpr unsigned maxTermBits = 33, maxFactorBits = 20;
constexpr int64_t maxFactor = int64_t{1} << 24;

/// A sum of values and of numbers of iterations, each with a factor, as a whole number.
class Sum {
public:
  struct Term {
    Value* value;              ///< null for a number of iterations
    const llvm::Loop* counted; ///< of this loop
    int64_t factor;
  };

  bool add(Value* value, const llvm::Loop* counted, int64_t factor) {
    auto* const same = llvm::find_if(
        terms_, [&](const Term& term) { return term.value == value && term.counted == counted; });
    if (same == terms_.end()) {
      terms_.push_back({value, counted, factor});
      return terms_.size() <= maxTerms;
    }
    same->factor += factor;
    if (same->factor == 0)
      terms_.erase(same);
    return true;
  }
  bool addConstant(int64_t value, int64_t factor) {
    int64_t product = 0;
    return !llvm::MulOverflow(value, factor, product) &&
           !llvm::AddOverflow(constant_, product, constant_) && isSmall(constant_);
  }

  llvm::ArrayRef<Term> terms() const { return terms_; }
  int64_t constant() const { return constant_; }
  bool hasSmallFactors() const {
    return llvm::all_of(terms_, [](const Term& term) {
      return term.factor <= maxFactor && term.factor >= -maxFactor;
    });
  }

private:
  static bool isSmall(int64_t value) {
    constexpr int64_t limit = int64_t{1} << 60;
    return value < limit && value > -limit;
  }

  llvm::SmallVector<Term, maxTerms> terms_;
  int64_t constant_ = 0;
};

class Comparisons {
public:
  Comparisons(llvm::Function& function, const Uniformity& uniformity, const llvm::LoopInfo& loops)
      : function_(function), uniformity_(uniformity), loops_(loops) {}

  bool simplify() {
    llvm::SmallVector<llvm::ICmpInst*> varying;
    for (Instruction& instruction : llvm::instructions(function_))
      if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
          comparison && (comparison->isSigned() || comparison->isEquality()) &&
          isInteger(*comparison->getOperand(0)) && !uniformity_.isUniform(*comparison))
        varying.push_back(comparison);
    bool changed = false;
    for (llvm::ICmpInst* comparison : varying)
      changed |= simplify(*comparison);
    for (llvm::PHINode* phi : replaced_)
      replaceByNumber(*phi);
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead_);
    return changed;
  }

private:
  static bool isInteger(const Value& value) {
    return value.getType()->isIntegerTy() && value.getType()->getIntegerBitWidth() <= 64;
  }

  bool simplify(llvm::ICmpInst& comparison) {
    Sum difference;
    seen_.clear();
    if (!add(*comparison.getOperand(0), 1, comparison, difference, 0) ||
        !add(*comparison.getOperand(1), -1, comparison, difference, 0) ||
        !difference.hasSmallFactors() ||
        !llvm::all_of(difference.terms(), [&](const Sum::Term& term) { return isShared(term); }))
      return false;
    llvm::IRBuilder<> builder(&comparison);
    Value *numbers = nullptr, *rest = nullptr;
    for (const Sum::Term& term : difference.terms())
      if (term.counted)
        addTo(numbers, scaled(builder, numberOf(*term.counted), term.factor), builder);
      else
        addTo(rest,
              scaled(builder, builder.CreateSExt(term.value, builder.getInt64Ty()), -term.factor),
              builder);
    if (!rest || difference.constant() != 0)
      addTo(rest, builder.getInt64(-difference.constant()), builder);
    if (!numbers)
      numbers = builder.getInt64(0);
    Value* better = builder.CreateICmp(comparison.getPredicate(), numbers, rest);
    better->takeName(&comparison);
    comparison.replaceAllUsesWith(better);
    dead_.emplace_back(&comparison); // not at once: other comparisons may be its operands
    replaced_.insert(seen_.begin(), seen_.end());
    return true;
  }

  /// Makes of an induction variable its start and the number of the iteration, so that what is
  /// different for each work-item does not go around the loop.
  void replaceByNumber(llvm::PHINode& phi) {
    const Course course = *courseOf(phi);
    llvm::BasicBlock* header = phi.getParent();
    llvm::IRBuilder<> before(course.loop->getLoopPredecessor()->getTerminator());
    Value* start = before.CreateSExt(course.start, before.getInt64Ty());
    llvm::IRBuilder<> builder(header, header->getFirstInsertionPt());
    Value* whole =
        builder.CreateNSWAdd(start, scaled(builder, numberOf(*course.loop), course.step));
    for (llvm::User* user : llvm::make_early_inc_range(phi.users()))
      if (llvm::isa<llvm::SExtInst>(user) && user->getType() == whole->getType()) {
        user->replaceAllUsesWith(whole);
        llvm::cast<Instruction>(user)->eraseFromParent();
      }
    phi.replaceAllUsesWith(
        builder.CreateTrunc(whole, phi.getType(), "", /*IsNUW=*/false, /*IsNSW=*/true));
    llvm::RecursivelyDeleteDeadPHINode(&phi);
  }

  static void addTo(Value*& sum, Value* value, llvm::IRBuilder<>& builder) {
    sum = sum ? builder.CreateNSWAdd(sum, value) : value;
  }

  static Value* scaled(llvm::IRBuilder<>& builder, Value* value, int64_t factor) {
    return factor == 1 ? value : builder.CreateNSWMul(value, builder.getInt64(factor));
  }

  /// Whether a term is the same for all work-items, and small.
  bool isShared(const Sum::Term& term) const {
    if (term.counted)
      return true;
    const unsigned bits = term.value->getType()->getIntegerBitWidth();
    return uniformity_.isUniform(*term.value) &&
           bits - llvm::ComputeNumSignBits(term.value, function_.getDataLayout()) < maxTermBits;
  }

  /// Adds `value`, as a signed whole number, to `sum` as far as it is a sum itself that cannot
  /// wrap. False where that becomes too long.
  bool add(Value& value, int64_t factor, const llvm::ICmpInst& user, Sum& sum, unsigned depth) {
    using namespace llvm::PatternMatch;
    const llvm::APInt* constant = nullptr;
    if (match(&value, m_APInt(constant)))
      return constant->getSignificantBits() <= maxTermBits &&
             sum.addConstant(constant->getSExtValue(), factor);
    Value *a = nullptr, *b = nullptr;
    if (depth < maxTermDepth && factor <= maxFactor && factor >= -maxFactor &&
        !uniformity_.isUniform(value)) {
      const auto addBoth = [&](int64_t second) {
        return add(*a, factor, user, sum, depth + 1) &&
               add(*b, factor * second, user, sum, depth + 1);
      };
      if (match(&value, m_NSWAdd(m_Value(a), m_Value(b))) ||
          match(&value, m_DisjointOr(m_Value(a), m_Value(b))))
        return addBoth(1);
      if (match(&value, m_NSWSub(m_Value(a), m_Value(b))))
        return addBoth(-1);
      if (match(&value, m_NSWMul(m_Value(a), m_APInt(constant))) &&
          constant->getSignificantBits() <= maxFactorBits)
        return add(*a, factor * constant->getSExtValue(), user, sum, depth + 1);
      if (match(&value, m_NSWShl(m_Value(a), m_APInt(constant))) &&
          constant->ult(maxFactorBits - 1))
        return add(*a, factor * (int64_t{1} << constant->getZExtValue()), user, sum, depth + 1);
      if (match(&value, m_SExt(m_Value(a))) || match(&value, m_NNegZExt(m_Value(a))))
        return add(*a, factor, user, sum, depth + 1);
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&value))
        if (const std::optional<Course> course = courseOf(*phi);
            course && course->loop->contains(user.getParent())) {
          seen_.push_back(phi);
          return sum.add(nullptr, course->loop, factor * course->step) &&
                 add(*course->start, factor, user, sum, depth + 1);
        }
    }
    return sum.add(&value, nullptr, factor);
  }

  struct Course {
    const llvm::Loop* loop;
    Value* start;
    int64_t step;
  };
  /// Of an induction variable that cannot wrap. The number of the iteration is the same for all who
  /// are still in the loop.
  std::optional<Course> courseOf(llvm::PHINode& phi) const {
    using namespace llvm::PatternMatch;
    const llvm::Loop* loop = loops_.getLoopFor(phi.getParent());
    if (!loop || loop->getHeader() != phi.getParent() || !loop->getLoopLatch() ||
        !loop->getLoopPredecessor() || phi.getNumIncomingValues() != 2)
      return std::nullopt;
    const llvm::APInt* step = nullptr;
    if (!match(phi.getIncomingValueForBlock(loop->getLoopLatch()),
               m_NSWAdd(m_Specific(&phi), m_APInt(step))) ||
        step->getSignificantBits() > maxFactorBits)
      return std::nullopt;
    return Course{loop, phi.getIncomingValueForBlock(loop->getLoopPredecessor()),
                  step->getSExtValue()};
  }

  /// How many iterations of `loop` have ended.
  Value* numberOf(const llvm::Loop& loop) {
    llvm::PHINode*& number = numbers_[&loop];
    if (!number)
      number = addIterationCounter(loop);
    return number;
  }

  llvm::Function& function_;
  const Uniformity& uniformity_;
  const llvm::LoopInfo& loops_;
  llvm::DenseMap<const llvm::Loop*, llvm::PHINode*> numbers_;
  llvm::SmallVector<llvm::PHINode*, 2> seen_; ///< in the comparison that is looked at
  llvm::SmallSetVector<llvm::PHINode*, 8> replaced_;
  llvm::SmallVector<llvm::WeakTrackingVH> dead_;
};

} // namespace

llvm::PreservedAnalyses UniformComparisonsPass::run(llvm::Function& function,
                                                    llvm::FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(names::kernelAttribute))
    return llvm::PreservedAnalyses::all();
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty())
    return llvm::PreservedAnalyses::all();
  const Uniformity& uniformity =
      analyses.getResult<UniformityAnalysis>(function).of(UniformityRoot::workGroup());
  if (uniformity.nothingIsUniform())
    return llvm::PreservedAnalyses::all();
  return preservedWithCfg(Comparisons(function, uniformity, loops).simplify());
}

} // namespace quern::compiler
