#include "compiler/il/atomic_operations.h"

namespace quern::compiler {

using Operation = llvm::AtomicRMWInst::BinOp;

bool isJoinable(const llvm::AtomicRMWInst& atomic) {
  if (!atomic.getType()->isIntegerTy())
    return false;
  switch (atomic.getOperation()) {
  case Operation::Add:
  case Operation::Sub:
  case Operation::And:
  case Operation::Or:
  case Operation::Xor:
  case Operation::Max:
  case Operation::Min:
  case Operation::UMax:
  case Operation::UMin:
    return true;
  default:
    return false;
  }
}

llvm::Value* joined(llvm::IRBuilderBase& builder, Operation operation, llvm::Value* a,
                    llvm::Value* b) {
  switch (operation) {
  case Operation::And:
    return builder.CreateAnd(a, b);
  case Operation::Or:
    return builder.CreateOr(a, b);
  case Operation::Xor:
    return builder.CreateXor(a, b);
  case Operation::Max:
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b);
  case Operation::Min:
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b);
  case Operation::UMax:
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, a, b);
  case Operation::UMin:
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, b);
  default:
    return builder.CreateAdd(a, b);
  }
}

llvm::Constant* neutral(Operation operation, llvm::Type* type) {
  const unsigned bits = type->getScalarSizeInBits();
  switch (operation) {
  case Operation::And:
  case Operation::UMin:
    return llvm::Constant::getAllOnesValue(type);
  case Operation::Max:
    return llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits));
  case Operation::Min:
    return llvm::ConstantInt::get(type, llvm::APInt::getSignedMaxValue(bits));
  default:
    return llvm::Constant::getNullValue(type);
  }
}

} // namespace quern::compiler
