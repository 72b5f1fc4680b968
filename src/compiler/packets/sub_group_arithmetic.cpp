#include "compiler/packets/sub_group_arithmetic.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>

namespace quern::compiler {

using llvm::Value;

namespace {

unsigned lanesOf(const Value* values) {
  return llvm::cast<llvm::FixedVectorType>(values->getType())->getNumElements();
}

} // namespace

std::optional<SubGroupArithmetic> SubGroupArithmetic::parse(llvm::StringRef combine) {
  SubGroupArithmetic result;
  if (combine.consume_back("_reduce"))
    result.kind_ = Kind::Reduce;
  else if (combine.consume_back("_scan_inclusive"))
    result.kind_ = Kind::InclusiveScan;
  else if (combine.consume_back("_scan_exclusive"))
    result.kind_ = Kind::ExclusiveScan;
  else
    result.kind_ = Kind::ClusteredReduce;
  result.isLogical_ = combine.consume_front("logical_");
  const auto [operation, type] = combine.split('_');
  const auto found = llvm::StringSwitch<std::optional<Operation>>(operation)
                         .Case("add", Operation::Add)
                         .Case("mul", Operation::Mul)
                         .Case("min", Operation::Min)
                         .Case("max", Operation::Max)
                         .Case("and", Operation::And)
                         .Case("or", Operation::Or)
                         .Case("xor", Operation::Xor)
                         .Default(std::nullopt);
  if (!found || type.empty())
    return std::nullopt;
  result.operation_ = *found;
  result.isUnsigned_ = type.starts_with("u");
  return result;
}

/// The operand that changes nothing.
llvm::Constant* SubGroupArithmetic::identity(llvm::Type* type) const {
  const unsigned bits = type->getScalarSizeInBits();
  const bool isFloat = type->isFPOrFPVectorTy();
  switch (operation_) {
  case Operation::Mul:
    return isFloat ? llvm::ConstantFP::get(type, 1.0) : llvm::ConstantInt::get(type, 1);
  case Operation::Min:
    if (isFloat)
      return llvm::ConstantFP::getInfinity(type);
    return llvm::ConstantInt::get(type, isUnsigned_ ? llvm::APInt::getMaxValue(bits)
                                                    : llvm::APInt::getSignedMaxValue(bits));
  case Operation::Max:
    if (isFloat)
      return llvm::ConstantFP::getInfinity(type, /*Negative=*/true);
    return llvm::ConstantInt::get(type, isUnsigned_ ? llvm::APInt::getMinValue(bits)
                                                    : llvm::APInt::getSignedMinValue(bits));
  case Operation::And:
    return isLogical_ ? llvm::ConstantInt::get(type, 1) : llvm::Constant::getAllOnesValue(type);
  default:
    return llvm::Constant::getNullValue(type);
  }
}

Value* SubGroupArithmetic::joined(llvm::IRBuilder<>& builder, Value* a, Value* b) const {
  const bool isFloat = a->getType()->isFPOrFPVectorTy();
  switch (operation_) {
  case Operation::Add:
    return isFloat ? builder.CreateFAdd(a, b) : builder.CreateAdd(a, b);
  case Operation::Mul:
    return isFloat ? builder.CreateFMul(a, b) : builder.CreateMul(a, b);
  case Operation::Min:
    if (isFloat)
      return builder.CreateSelect(builder.CreateFCmpOLT(b, a), b, a);
    return builder.CreateBinaryIntrinsic(
        isUnsigned_ ? llvm::Intrinsic::umin : llvm::Intrinsic::smin, a, b);
  case Operation::Max:
    if (isFloat)
      return builder.CreateSelect(builder.CreateFCmpOLT(a, b), b, a);
    return builder.CreateBinaryIntrinsic(
        isUnsigned_ ? llvm::Intrinsic::umax : llvm::Intrinsic::smax, a, b);
  case Operation::And:
    return builder.CreateAnd(a, b);
  case Operation::Or:
    return builder.CreateOr(a, b);
  case Operation::Xor:
    return builder.CreateXor(a, b);
  }
  llvm_unreachable("an operation without instructions");
}

Value* SubGroupArithmetic::emit(llvm::IRBuilder<>& builder, Value* values, Value* mask,
                                const Value* clusterSize) const {
  llvm::Type* type = values->getType();
  if (isLogical_)
    values =
        builder.CreateZExt(builder.CreateICmpNE(values, llvm::Constant::getNullValue(type)), type);
  if (type->isFPOrFPVectorTy() && (operation_ == Operation::Min || operation_ == Operation::Max)) {
    // What is no number is passed over, and must not come first.
    Value* isNumber = builder.CreateFCmpORD(values, values);
    mask = mask ? builder.CreateLogicalAnd(mask, isNumber) : isNumber;
  }
  if (mask)
    values = builder.CreateSelect(mask, values, identity(type));
  switch (kind_) {
  case Kind::Reduce:
    return clustered(builder, values, lanesOf(values));
  case Kind::ClusteredReduce: {
    const auto* size = llvm::dyn_cast_or_null<llvm::ConstantInt>(clusterSize);
    if (!size || !size->getValue().isPowerOf2())
      return nullptr;
    return clustered(builder, values, std::min<uint64_t>(size->getZExtValue(), lanesOf(values)));
  }
  default:
    return scan(builder, values);
  }
}

/// In each step every work-item joins its value with that of one that is twice as far away.
Value* SubGroupArithmetic::clustered(llvm::IRBuilder<>& builder, Value* values,
                                     uint64_t size) const {
  for (unsigned distance = 1; distance < size; distance *= 2) {
    llvm::SmallVector<int, 16> from;
    for (unsigned lane = 0; lane < lanesOf(values); ++lane)
      from.push_back(static_cast<int>(lane ^ distance));
    values = joined(builder, values, builder.CreateShuffleVector(values, from));
  }
  return values;
}

Value* SubGroupArithmetic::scan(llvm::IRBuilder<>& builder, Value* values) const {
  const unsigned width = lanesOf(values);
  llvm::Constant* nothing = identity(values->getType());
  const auto shifted = [&](Value* sums, unsigned lanes) {
    llvm::SmallVector<int, 16> from;
    for (unsigned i = 0; i < width; ++i)
      from.push_back(static_cast<int>(i < lanes ? width + i : i - lanes));
    return builder.CreateShuffleVector(sums, nothing, from);
  };
  for (unsigned lanes = 1; lanes < width; lanes *= 2)
    values = joined(builder, shifted(values, lanes), values);
  return kind_ == Kind::ExclusiveScan ? shifted(values, 1) : values;
}

} // namespace quern::compiler
