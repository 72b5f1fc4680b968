#include "compiler/il/collective_arithmetic.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>

namespace quern::compiler {

using llvm::Value;

std::optional<CollectiveArithmetic> CollectiveArithmetic::parse(llvm::StringRef combine) {
  CollectiveArithmetic result;
  if (combine.consume_back("_reduce"))
    result.kind = Kind::Reduce;
  else if (combine.consume_back("_scan_inclusive"))
    result.kind = Kind::InclusiveScan;
  else if (combine.consume_back("_scan_exclusive"))
    result.kind = Kind::ExclusiveScan;
  else
    result.kind = Kind::ClusteredReduce;
  result.isLogical = combine.consume_front("logical_");
  llvm::StringRef operation;
  std::tie(operation, result.type) = combine.split('_');
  const bool isUnsigned = result.type.starts_with("u");
  const auto found = llvm::StringSwitch<std::optional<Associative>>(operation)
                         .Case("add", Associative::Add)
                         .Case("mul", Associative::Mul)
                         .Case("min", isUnsigned ? Associative::UMin : Associative::Min)
                         .Case("max", isUnsigned ? Associative::UMax : Associative::Max)
                         .Case("and", Associative::And)
                         .Case("or", Associative::Or)
                         .Case("xor", Associative::Xor)
                         .Default(std::nullopt);
  if (!found || result.type.empty())
    return std::nullopt;
  result.operation = *found;
  return result;
}

llvm::Constant* CollectiveArithmetic::nothing(llvm::Type* type) const {
  return isLogical && operation == Associative::And ? llvm::ConstantInt::get(type, 1)
                                                    : neutral(operation, type);
}

llvm::Constant* CollectiveArithmetic::beforeFirst(llvm::Type* type) const {
  return operation == Associative::Add ? llvm::Constant::getNullValue(type) : nothing(type);
}

Value* CollectiveArithmetic::prepared(llvm::IRBuilder<>& builder, Value* values,
                                      Value* mask) const {
  llvm::Type* type = values->getType();
  if (isLogical)
    values =
        builder.CreateZExt(builder.CreateICmpNE(values, llvm::Constant::getNullValue(type)), type);
  if (type->isFPOrFPVectorTy() &&
      (operation == Associative::Min || operation == Associative::Max)) {
    // What is no number is passed over, and must not come first.
    Value* isNumber = builder.CreateFCmpORD(values, values);
    mask = mask ? builder.CreateLogicalAnd(mask, isNumber) : isNumber;
  }
  return mask ? builder.CreateSelect(mask, values, nothing(type)) : values;
}

Value* CollectiveArithmetic::emit(llvm::IRBuilder<>& builder, Value* values, Value* mask,
                                  const Value* clusterSize) const {
  auto* type = llvm::cast<llvm::FixedVectorType>(values->getType());
  values = prepared(builder, values, mask);
  switch (kind) {
  case Kind::Reduce:
    return joinedAmong(builder, operation, values, type->getNumElements());
  case Kind::ClusteredReduce: {
    const auto* size = llvm::dyn_cast_or_null<llvm::ConstantInt>(clusterSize);
    if (!size || !size->getValue().isPowerOf2())
      return nullptr;
    return joinedAmong(builder, operation, values,
                       std::min<uint64_t>(size->getZExtValue(), type->getNumElements()));
  }
  case Kind::InclusiveScan:
    return joinedUpTo(builder, operation, values, nothing(type));
  case Kind::ExclusiveScan:
    return movedUp(builder, joinedUpTo(builder, operation, values, nothing(type)), 1,
                   beforeFirst(type));
  }
  llvm_unreachable("a kind without results");
}

} // namespace quern::compiler
