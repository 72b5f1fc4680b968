#include "compiler/il/associative.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>

namespace quern::compiler {

using llvm::Value;

namespace {

unsigned lanesOf(const Value* values) {
  return llvm::cast<llvm::FixedVectorType>(values->getType())->getNumElements();
}

} // namespace

Value* joined(llvm::IRBuilderBase& builder, Associative operation, Value* a, Value* b) {
  const bool isFloat = a->getType()->isFPOrFPVectorTy();
  switch (operation) {
  case Associative::Add:
    return isFloat ? builder.CreateFAdd(a, b) : builder.CreateAdd(a, b);
  case Associative::Mul:
    return isFloat ? builder.CreateFMul(a, b) : builder.CreateMul(a, b);
  case Associative::Min:
    return isFloat ? builder.CreateSelect(builder.CreateFCmpOLT(b, a), b, a)
                   : builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b);
  case Associative::Max:
    return isFloat ? builder.CreateSelect(builder.CreateFCmpOLT(a, b), b, a)
                   : builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b);
  case Associative::UMin:
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, b);
  case Associative::UMax:
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, a, b);
  case Associative::And:
    return builder.CreateAnd(a, b);
  case Associative::Or:
    return builder.CreateOr(a, b);
  case Associative::Xor:
    return builder.CreateXor(a, b);
  }
  llvm_unreachable("an operation without instructions");
}

llvm::Constant* neutral(Associative operation, llvm::Type* type) {
  const unsigned bits = type->getScalarSizeInBits();
  const bool isFloat = type->isFPOrFPVectorTy();
  switch (operation) {
  case Associative::Add: // what it changes nothing of may be -0, too
    return isFloat ? llvm::ConstantFP::getNegativeZero(type) : llvm::Constant::getNullValue(type);
  case Associative::Mul:
    return isFloat ? llvm::ConstantFP::get(type, 1.0) : llvm::ConstantInt::get(type, 1);
  case Associative::Min:
    return isFloat ? llvm::ConstantFP::getInfinity(type)
                   : llvm::ConstantInt::get(type, llvm::APInt::getSignedMaxValue(bits));
  case Associative::Max:
    return isFloat ? llvm::ConstantFP::getInfinity(type, /*Negative=*/true)
                   : llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits));
  case Associative::UMin:
  case Associative::And:
    return llvm::Constant::getAllOnesValue(type);
  default:
    return llvm::Constant::getNullValue(type);
  }
}

Value* movedUp(llvm::IRBuilderBase& builder, Value* values, unsigned lanes,
               llvm::Constant* nothing) {
  const unsigned width = lanesOf(values);
  llvm::SmallVector<int, 16> from;
  for (unsigned i = 0; i < width; ++i)
    from.push_back(static_cast<int>(i < lanes ? width + i : i - lanes));
  return builder.CreateShuffleVector(values, nothing, from);
}

Value* joinedUpTo(llvm::IRBuilderBase& builder, Associative operation, Value* values,
                  llvm::Constant* nothing) {
  for (unsigned lanes = 1; lanes < lanesOf(values); lanes *= 2)
    values = joined(builder, operation, movedUp(builder, values, lanes, nothing), values);
  return values;
}

Value* joinedAmong(llvm::IRBuilderBase& builder, Associative operation, Value* values,
                   uint64_t count) {
  for (unsigned distance = 1; distance < count; distance *= 2) {
    llvm::SmallVector<int, 16> from;
    for (unsigned lane = 0; lane < lanesOf(values); ++lane)
      from.push_back(static_cast<int>(lane ^ distance));
    values = joined(builder, operation, values, builder.CreateShuffleVector(values, from));
  }
  return values;
}

} // namespace quern::compiler
