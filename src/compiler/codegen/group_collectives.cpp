#include "compiler/codegen/group_collectives.h"

#include <llvm/ADT/StringSwitch.h>

#include "compiler/codegen/loop_properties.h"
#include "compiler/il/collective_arithmetic.h"

namespace quern::compiler {
namespace {

using llvm::Value;
using Kind = CollectiveArithmetic::Kind;

/// Sums that grow side by side, for one addition waits for the one before it.
constexpr unsigned sumsAtOnce = 4;

/// A vote asks whether the greatest or the least predicate, as a number without sign, is 0.
std::optional<CollectiveArithmetic> parse(llvm::StringRef combine) {
  CollectiveArithmetic vote;
  vote.type = "int";
  vote.operation = combine == "any" ? Associative::Or : Associative::UMin;
  if (combine == "any" || combine == "all")
    return vote;
  return CollectiveArithmetic::parse(combine);
}

llvm::Type* elementType(llvm::LLVMContext& context, llvm::StringRef name) {
  return llvm::StringSwitch<llvm::Type*>(name)
      .Cases({"int", "uint"}, llvm::Type::getInt32Ty(context))
      .Cases({"long", "ulong"}, llvm::Type::getInt64Ty(context))
      .Case("float", llvm::Type::getFloatTy(context))
      .Case("double", llvm::Type::getDoubleTy(context))
      .Case("half", llvm::Type::getHalfTy(context))
      .Default(nullptr);
}

class Combination {
public:
  Combination(llvm::IRBuilder<>& builder, const CollectiveArithmetic& arithmetic,
              llvm::Type* element, Value* results, Value* operands, Value* count,
              unsigned vectorBits)
      : builder_(builder), arithmetic_(arithmetic), element_(element), results_(results),
        operands_(operands), count_(count),
        width_(
            std::max(vectorBits / element->getPrimitiveSizeInBits().getFixedValue(), uint64_t{2})),
        type_(llvm::FixedVectorType::get(element, width_)), nothing_(arithmetic.nothing(type_)) {}

  /// The result of all, which a vote has yet to compare.
  Value* reduced() {
    std::vector<Value*> sums(sumsAtOnce, arithmetic_.beforeFirst(type_));
    Value* inRows = wholeIn(width_ * sumsAtOnce);
    loop(builder_.getInt64(0), inRows, width_ * sumsAtOnce, sums, [&](Value* first) {
      for (unsigned i = 0; i < sumsAtOnce; ++i)
        sums[i] = join(sums[i],
                       load(builder_.CreateNUWAdd(first, builder_.getInt64(i * width_)), nullptr));
    });
    for (unsigned apart = sumsAtOnce / 2; apart > 0; apart /= 2)
      for (unsigned i = 0; i < apart; ++i)
        sums[i] = join(sums[i], sums[i + apart]);
    sums.resize(1);
    loop(inRows, count_, width_, sums,
         [&](Value* first) { sums[0] = join(sums[0], load(first, inside(first))); });
    return builder_.CreateExtractElement(
        joinedAmong(builder_, arithmetic_.operation, sums[0], width_), uint64_t{0});
  }

  void scan() {
    std::vector<Value*> before(1, arithmetic_.beforeFirst(type_));
    Value* whole = wholeIn(width_);
    loop(builder_.getInt64(0), whole, width_, before,
         [&](Value* first) { before[0] = scanned(first, nullptr, before[0]); });
    loop(whole, count_, width_, before,
         [&](Value* first) { before[0] = scanned(first, inside(first), before[0]); });
  }

private:
  Value* join(Value* a, Value* b) { return joined(builder_, arithmetic_.operation, a, b); }

  /// `count` without what is left of it by `step`, a power of two.
  Value* wholeIn(uint64_t step) { return builder_.CreateAnd(count_, ~(step - 1)); }

  /// The results of a vector's work-items from those of the ones `before` them, in every element.
  /// Returns the same for the next vector.
  Value* scanned(Value* first, Value* mask, Value* before) {
    Value* own = joinedUpTo(builder_, arithmetic_.operation,
                            arithmetic_.prepared(builder_, load(first, mask), mask), nothing_);
    const bool isExclusive = arithmetic_.kind == Kind::ExclusiveScan;
    store(join(before, isExclusive ? movedUp(builder_, own, 1, nothing_) : own), first, mask);
    const llvm::SmallVector<int, 16> last(width_, static_cast<int>(width_ - 1));
    return join(before, builder_.CreateShuffleVector(own, last));
  }

  /// Runs `body` for the multiples of `step` from `begin` up to `end`. `carried` are values that it
  /// changes.
  void loop(Value* begin, Value* end, uint64_t step, std::vector<Value*>& carried,
            llvm::function_ref<void(Value* first)> body) {
    llvm::Function* function = builder_.GetInsertBlock()->getParent();
    const auto newBlock = [&](const char* name) {
      return llvm::BasicBlock::Create(builder_.getContext(), name, function);
    };
    llvm::BasicBlock *before = builder_.GetInsertBlock(), *inside = newBlock("collective"),
                     *after = newBlock("collective.done");
    builder_.CreateCondBr(builder_.CreateICmpULT(begin, end), inside, after);
    builder_.SetInsertPoint(inside);
    llvm::PHINode* first = builder_.CreatePHI(builder_.getInt64Ty(), 2, "first");
    const std::vector<Value*> start = carried;
    std::vector<llvm::PHINode*> phis;
    for (Value*& value : carried) {
      phis.push_back(builder_.CreatePHI(value->getType(), 2));
      value = phis.back();
    }
    body(first);
    Value* next = builder_.CreateNUWAdd(first, builder_.getInt64(step));
    builder_.CreateCondBr(builder_.CreateICmpULT(next, end), inside, after)
        ->setMetadata(llvm::LLVMContext::MD_loop, outerLoopProperties(*end));
    first->addIncoming(begin, before);
    first->addIncoming(next, inside);
    builder_.SetInsertPoint(after);
    for (size_t i = 0; i < carried.size(); ++i) {
      phis[i]->addIncoming(start[i], before);
      phis[i]->addIncoming(carried[i], inside);
      llvm::PHINode* last = builder_.CreatePHI(carried[i]->getType(), 2);
      last->addIncoming(start[i], before);
      last->addIncoming(carried[i], inside);
      carried[i] = last;
    }
  }

  /// The elements of a vector that are those of work-items.
  Value* inside(Value* first) {
    llvm::SmallVector<llvm::Constant*, 16> lanes;
    for (unsigned lane = 0; lane < width_; ++lane)
      lanes.push_back(builder_.getInt32(lane));
    Value* rest = builder_.CreateTrunc(
        builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, builder_.CreateNUWSub(count_, first),
                                       builder_.getInt64(width_)),
        builder_.getInt32Ty());
    return builder_.CreateICmpULT(llvm::ConstantVector::get(lanes),
                                  builder_.CreateVectorSplat(width_, rest), "inside");
  }

  Value* address(Value* array, Value* first) {
    return builder_.CreateInBoundsGEP(element_, array, first);
  }
  llvm::Align alignment() const {
    return llvm::Align(element_->getPrimitiveSizeInBits().getFixedValue() / 8);
  }
  Value* load(Value* first, Value* mask) {
    Value* place = address(operands_, first);
    return mask ? builder_.CreateMaskedLoad(type_, place, alignment(), mask, nothing_)
                : llvm::cast<Value>(builder_.CreateAlignedLoad(type_, place, alignment()));
  }
  void store(Value* values, Value* first, Value* mask) {
    Value* place = address(results_, first);
    if (mask)
      builder_.CreateMaskedStore(values, place, alignment(), mask);
    else
      builder_.CreateAlignedStore(values, place, alignment());
  }

  llvm::IRBuilder<>& builder_;
  const CollectiveArithmetic& arithmetic_;
  llvm::Type* element_;
  Value *results_, *operands_, *count_;
  uint64_t width_;
  llvm::VectorType* type_;
  llvm::Constant* nothing_;
};

} // namespace

bool combineInVectors(llvm::IRBuilder<>& builder, llvm::StringRef combine, Value* results,
                      Value* operands, Value* count, unsigned vectorBits) {
  const std::optional<CollectiveArithmetic> arithmetic = parse(combine);
  llvm::Type* element = arithmetic ? elementType(builder.getContext(), arithmetic->type) : nullptr;
  if (!element || arithmetic->kind == Kind::ClusteredReduce)
    return false;
  Combination combination(builder, *arithmetic, element, results, operands, count, vectorBits);
  if (arithmetic->kind != Kind::Reduce) {
    combination.scan();
    return true;
  }
  Value* result = combination.reduced();
  if (combine == "all" || combine == "any")
    result = builder.CreateZExt(builder.CreateIsNotNull(result), element);
  builder.CreateStore(result, results);
  return true;
}

} // namespace quern::compiler
