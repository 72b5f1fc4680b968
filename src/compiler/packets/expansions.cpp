#include "compiler/packets/expansions.h"

#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

namespace quern::compiler {
namespace {

using llvm::Value;

constexpr unsigned widestBits = 64;

/// Of the product of two numbers of 64 bits, which must be the same wherever they are used: from
/// the products of halves, as by hand. Those of negative numbers are 2^64 times the other number
/// too large.
Value* highHalfOfProduct(llvm::IRBuilder<>& builder, Value* left, Value* right, bool isSigned) {
  constexpr unsigned half = widestBits / 2;
  const auto low = [&](Value* number) { return builder.CreateAnd(number, UINT32_MAX); };
  const auto high = [&](Value* number) { return builder.CreateLShr(number, half); };
  Value* cross = builder.CreateMul(low(left), high(right));
  Value* otherCross = builder.CreateMul(high(left), low(right));
  Value* middle = builder.CreateAdd(high(builder.CreateMul(low(left), low(right))),
                                    builder.CreateAdd(low(cross), low(otherCross)));
  Value* result =
      builder.CreateAdd(builder.CreateAdd(builder.CreateMul(high(left), high(right)), high(middle)),
                        builder.CreateAdd(high(cross), high(otherCross)));
  if (!isSigned)
    return result;
  const auto ifNegative = [&](Value* number, Value* other) {
    return builder.CreateAnd(builder.CreateAShr(number, widestBits - 1), other);
  };
  return builder.CreateSub(builder.CreateSub(result, ifNegative(left, right)),
                           ifNegative(right, left));
}

/// The number, which must be the same wherever it is used.
Value* once(llvm::IRBuilder<>& builder, Value* number) {
  return llvm::isGuaranteedNotToBeUndefOrPoison(number) ? number : builder.CreateFreeze(number);
}

/// Whether it is one that packets can have, of which the parts are taken.
bool canExpand(const llvm::WithOverflowInst& operation) {
  const unsigned bits = operation.getLHS()->getType()->getScalarSizeInBits();
  const bool isOddProduct = operation.getBinaryOp() == llvm::Instruction::Mul &&
                            bits > widestBits / 2 && bits != widestBits;
  return bits <= widestBits && !isOddProduct &&
         llvm::all_of(operation.users(), [](const llvm::User* user) {
           return llvm::isa<llvm::ExtractValueInst>(user);
         });
}

class WithOverflow {
public:
  explicit WithOverflow(llvm::WithOverflowInst& operation)
      : operation_(operation), builder_(&operation), left_(once(builder_, operation.getLHS())),
        right_(once(builder_, operation.getRHS())), type_(left_->getType()),
        bits_(type_->getScalarSizeInBits()) {}

  void expand() {
    Value* result = builder_.CreateBinOp(operation_.getBinaryOp(), left_, right_);
    Value* overflows = doesOverflow(result);
    for (llvm::User* user : llvm::make_early_inc_range(operation_.users())) {
      auto* part = llvm::cast<llvm::ExtractValueInst>(user);
      part->replaceAllUsesWith(part->getIndices().front() == 0 ? result : overflows);
      part->eraseFromParent();
    }
    operation_.eraseFromParent();
  }

private:
  Value* doesOverflow(Value* result) {
    switch (operation_.getBinaryOp()) {
    case llvm::Instruction::Add:
      return operation_.isSigned()
                 ? isNegative(builder_.CreateAnd(builder_.CreateXor(left_, result),
                                                 builder_.CreateXor(right_, result)))
                 : builder_.CreateICmpULT(result, left_);
    case llvm::Instruction::Sub:
      return operation_.isSigned()
                 ? isNegative(builder_.CreateAnd(builder_.CreateXor(left_, right_),
                                                 builder_.CreateXor(left_, result)))
                 : builder_.CreateICmpULT(left_, right_);
    default:
      return builder_.CreateICmpNE(highHalf(), operation_.isSigned()
                                                   ? builder_.CreateAShr(result, bits_ - 1)
                                                   : llvm::Constant::getNullValue(type_));
    }
  }

  Value* isNegative(Value* number) {
    return builder_.CreateICmpSLT(number, llvm::Constant::getNullValue(type_));
  }

  /// Of the product in twice as many bits.
  Value* highHalf() {
    if (bits_ == widestBits)
      return highHalfOfProduct(builder_, left_, right_, operation_.isSigned());
    llvm::Type* twice = type_->getWithNewBitWidth(2 * bits_);
    const auto widened = [&](Value* number) {
      return operation_.isSigned() ? builder_.CreateSExt(number, twice)
                                   : builder_.CreateZExt(number, twice);
    };
    Value* product = builder_.CreateMul(widened(left_), widened(right_));
    return builder_.CreateTrunc(builder_.CreateLShr(product, bits_), type_);
  }

  llvm::WithOverflowInst& operation_;
  llvm::IRBuilder<> builder_;
  Value *left_, *right_;
  llvm::Type* type_;
  const unsigned bits_;
};

/// Numbers of 128 bits that are products of numbers of 64 bits, high halves of these, or extended.
class LongNumbers {
public:
  /// Makes what `instruction` takes of such numbers of numbers of 64 bits. True if it did.
  bool narrow(llvm::Instruction& instruction) {
    Value* result = nullptr;
    if (auto* truncation = llvm::dyn_cast<llvm::TruncInst>(&instruction))
      result = narrowed(*truncation);
    else if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
      result = narrowed(*comparison);
    if (!result)
      return false;
    instruction.replaceAllUsesWith(result);
    return true;
  }

private:
  /// Whether a number is one of 64 bits that was extended by zeros, by its sign, or as if by both.
  struct Extension {
    bool byZeros = false, bySign = false;

    explicit operator bool() const { return byZeros || bySign; }
    Extension operator&(Extension other) const {
      return {byZeros && other.byZeros, bySign && other.bySign};
    }
  };

  static bool isLong(const Value* value) {
    return value->getType()->getScalarSizeInBits() == 2 * widestBits;
  }

  static Extension extension(Value* value) {
    using namespace llvm::PatternMatch;
    const llvm::APInt* constant = nullptr;
    if (match(value, m_APInt(constant)))
      return {constant->getActiveBits() <= widestBits,
              constant->getSignificantBits() <= widestBits};
    if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) {
      const unsigned bits = cast->getSrcTy()->getScalarSizeInBits();
      if (bits > widestBits)
        return {};
      if (llvm::isa<llvm::ZExtInst>(cast))
        return {true, bits < widestBits || cast->hasNonNeg()};
      return {false, llvm::isa<llvm::SExtInst>(cast)};
    }
    if (const llvm::BinaryOperator* shift = highPart(value))
      return {shift->getOpcode() == llvm::Instruction::LShr,
              shift->getOpcode() == llvm::Instruction::AShr};
    return {};
  }

  /// `value` as the high half of a product, or less of it.
  static llvm::BinaryOperator* highPart(Value* value) {
    using namespace llvm::PatternMatch;
    const llvm::APInt* count = nullptr;
    Value* product = nullptr;
    const bool isPart = match(value, m_Shr(m_Value(product), m_APInt(count))) &&
                        count->uge(widestBits) && count->ult(2 * widestBits) && isProduct(product);
    return isPart ? llvm::cast<llvm::BinaryOperator>(value) : nullptr;
  }

  static bool isProduct(Value* value) {
    using namespace llvm::PatternMatch;
    Value *left = nullptr, *right = nullptr;
    return isLong(value) && match(value, m_Mul(m_Value(left), m_Value(right))) &&
           (extension(left) & extension(right));
  }

  /// The number of which the extension `value` is one.
  Value* bits(Value* value) {
    llvm::Type* type = value->getType()->getWithNewBitWidth(widestBits);
    const llvm::APInt* constant = nullptr;
    if (llvm::PatternMatch::match(value, llvm::PatternMatch::m_APInt(constant)))
      return llvm::ConstantInt::get(type, constant->trunc(widestBits));
    if (Value* known = bits_.lookup(value))
      return known;
    Value* bits = nullptr;
    if (auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) {
      llvm::IRBuilder<> builder(cast);
      bits = once(builder, builder.CreateIntCast(cast->getOperand(0), type,
                                                 llvm::isa<llvm::SExtInst>(cast)));
    } else {
      bits = bitsOfHighPart(*highPart(value));
    }
    return bits_[value] = bits;
  }

  Value* bitsOfHighPart(llvm::BinaryOperator& shift) {
    auto& product = *llvm::cast<llvm::BinaryOperator>(shift.getOperand(0));
    Value *left = product.getOperand(0), *right = product.getOperand(1);
    const bool isSigned = !(extension(left) & extension(right)).byZeros;
    Value *leftBits = bits(left), *rightBits = bits(right);
    llvm::IRBuilder<> builder(&shift);
    Value* high = highHalfOfProduct(builder, leftBits, rightBits, isSigned);
    Value* rest = builder.CreateTrunc(shift.getOperand(1), high->getType());
    rest = builder.CreateSub(rest, llvm::ConstantInt::get(high->getType(), widestBits));
    return builder.CreateBinOp(shift.getOpcode(), high, rest);
  }

  static bool hasLowHalf(Value* value) {
    auto* choice = llvm::dyn_cast<llvm::SelectInst>(value);
    return choice ? hasLowHalf(choice->getTrueValue()) && hasLowHalf(choice->getFalseValue())
                  : isProduct(value) || extension(value);
  }

  Value* lowHalf(llvm::IRBuilder<>& builder, Value* value) {
    if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(value))
      return builder.CreateSelect(choice->getCondition(), lowHalf(builder, choice->getTrueValue()),
                                  lowHalf(builder, choice->getFalseValue()));
    if (!isProduct(value))
      return bits(value);
    const auto& product = *llvm::cast<llvm::BinaryOperator>(value);
    return builder.CreateMul(bits(product.getOperand(0)), bits(product.getOperand(1)));
  }

  Value* narrowed(llvm::TruncInst& truncation) {
    Value* value = truncation.getOperand(0);
    if (!isLong(value) || truncation.getType()->getScalarSizeInBits() > widestBits ||
        !hasLowHalf(value))
      return nullptr;
    llvm::IRBuilder<> builder(&truncation);
    return builder.CreateTrunc(lowHalf(builder, value), truncation.getType());
  }

  Value* narrowed(llvm::ICmpInst& comparison) {
    Value *left = comparison.getOperand(0), *right = comparison.getOperand(1);
    if (!isLong(left))
      return nullptr;
    const Extension both = extension(left) & extension(right);
    if (!both)
      return nullptr;
    llvm::IRBuilder<> builder(&comparison);
    const llvm::CmpInst::Predicate predicate =
        both.byZeros ? comparison.getUnsignedPredicate() : comparison.getPredicate();
    return builder.CreateICmp(predicate, bits(left), bits(right));
  }

  llvm::DenseMap<Value*, Value*> bits_;
};

/// The pointer less the bits that are cleared, so that it still leads into its object.
void expandMaskedPointer(llvm::IntrinsicInst& call) {
  llvm::IRBuilder<> builder(&call);
  Value *pointer = call.getArgOperand(0), *mask = call.getArgOperand(1);
  Value* cleared =
      builder.CreateAnd(builder.CreatePtrToInt(pointer, mask->getType()), builder.CreateNot(mask));
  Value* result = builder.CreatePtrAdd(pointer, builder.CreateNeg(cleared));
  result->takeName(&call);
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

} // namespace

bool expandForVectors(llvm::Function& function) {
  std::vector<llvm::IntrinsicInst*> calls;
  std::vector<llvm::Instruction*> ofIntegers;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
      calls.push_back(call);
    else if (llvm::isa<llvm::TruncInst, llvm::ICmpInst>(instruction))
      ofIntegers.push_back(&instruction);
  bool changed = false;
  llvm::SmallVector<llvm::WeakTrackingVH> narrowed;
  LongNumbers numbers;
  for (llvm::Instruction* instruction : ofIntegers)
    if (numbers.narrow(*instruction))
      narrowed.emplace_back(instruction);
  changed |= !narrowed.empty();
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(narrowed);
  for (llvm::IntrinsicInst* call : calls) {
    auto* operation = llvm::dyn_cast<llvm::WithOverflowInst>(call);
    if (operation && canExpand(*operation))
      WithOverflow(*operation).expand();
    else if (call->getIntrinsicID() == llvm::Intrinsic::ptrmask)
      expandMaskedPointer(*call);
    else
      continue;
    changed = true;
  }
  return changed;
}

} // namespace quern::compiler
