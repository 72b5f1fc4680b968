#include "compiler/packets/expanded_intrinsics.h"

#include <vector>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace quern::compiler {
namespace {

using llvm::Value;

constexpr unsigned widestBits = 64;

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
      : operation_(operation), builder_(&operation), left_(once(operation.getLHS())),
        right_(once(operation.getRHS())), type_(left_->getType()),
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
  /// The number, which must be the same wherever it is used.
  Value* once(Value* number) {
    return llvm::isGuaranteedNotToBeUndefOrPoison(number) ? number : builder_.CreateFreeze(number);
  }

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
      return highHalfOfWidest();
    llvm::Type* twice = type_->getWithNewBitWidth(2 * bits_);
    const auto widened = [&](Value* number) {
      return operation_.isSigned() ? builder_.CreateSExt(number, twice)
                                   : builder_.CreateZExt(number, twice);
    };
    Value* product = builder_.CreateMul(widened(left_), widened(right_));
    return builder_.CreateTrunc(builder_.CreateLShr(product, bits_), type_);
  }

  /// From the products of halves, as by hand. Those of negative numbers are 2^64 times the other
  /// number too large.
  Value* highHalfOfWidest() {
    constexpr unsigned half = widestBits / 2;
    const auto low = [&](Value* number) { return builder_.CreateAnd(number, UINT32_MAX); };
    const auto high = [&](Value* number) { return builder_.CreateLShr(number, half); };
    Value* cross = builder_.CreateMul(low(left_), high(right_));
    Value* otherCross = builder_.CreateMul(high(left_), low(right_));
    Value* middle = builder_.CreateAdd(high(builder_.CreateMul(low(left_), low(right_))),
                                       builder_.CreateAdd(low(cross), low(otherCross)));
    Value* result = builder_.CreateAdd(
        builder_.CreateAdd(builder_.CreateMul(high(left_), high(right_)), high(middle)),
        builder_.CreateAdd(high(cross), high(otherCross)));
    if (!operation_.isSigned())
      return result;
    const auto ifNegative = [&](Value* number, Value* other) {
      return builder_.CreateAnd(builder_.CreateAShr(number, widestBits - 1), other);
    };
    return builder_.CreateSub(builder_.CreateSub(result, ifNegative(left_, right_)),
                              ifNegative(right_, left_));
  }

  llvm::WithOverflowInst& operation_;
  llvm::IRBuilder<> builder_;
  Value *left_, *right_;
  llvm::Type* type_;
  const unsigned bits_;
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

bool expandIntrinsics(llvm::Function& function) {
  std::vector<llvm::IntrinsicInst*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
      calls.push_back(call);
  bool changed = false;
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
