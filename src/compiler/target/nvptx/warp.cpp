#include "compiler/target/nvptx/warp.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

namespace quern::compiler {

using llvm::Value;

namespace {

constexpr unsigned wordBits = 32;
/// The first compute capability whose warps reduce integers by one instruction.
constexpr unsigned reducingCapability = 80;

llvm::Intrinsic::ID reduction(Associative operation) {
  switch (operation) {
  case Associative::Add:
    return llvm::Intrinsic::nvvm_redux_sync_add;
  case Associative::Min:
    return llvm::Intrinsic::nvvm_redux_sync_min;
  case Associative::Max:
    return llvm::Intrinsic::nvvm_redux_sync_max;
  case Associative::UMin:
    return llvm::Intrinsic::nvvm_redux_sync_umin;
  case Associative::UMax:
    return llvm::Intrinsic::nvvm_redux_sync_umax;
  case Associative::And:
    return llvm::Intrinsic::nvvm_redux_sync_and;
  case Associative::Or:
    return llvm::Intrinsic::nvvm_redux_sync_or;
  case Associative::Xor:
    return llvm::Intrinsic::nvvm_redux_sync_xor;
  case Associative::Mul:
    break;
  }
  return llvm::Intrinsic::not_intrinsic;
}

} // namespace

Value* Warp::firstLane() {
  return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, mask_, builder_.getTrue());
}

Value* Warp::lastLane() {
  return builder_.CreateXor(
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, mask_, builder_.getTrue()),
      warpItems - 1);
}

Value* Warp::vote(llvm::Intrinsic::ID kind, Value* value) {
  Value* result = builder_.CreateIntrinsic(kind, {mask_, builder_.CreateIsNotNull(value)});
  return builder_.CreateZExt(result, builder_.getInt32Ty());
}

Value* Warp::eachWord(Value* value, llvm::function_ref<Value*(Value* word)> moved) {
  llvm::Type* type = value->getType();
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    Value* result = llvm::PoisonValue::get(type);
    for (uint64_t i = 0; i < vector->getNumElements(); ++i)
      result = builder_.CreateInsertElement(
          result, eachWord(builder_.CreateExtractElement(value, i), moved), i);
    return result;
  }
  const unsigned bits = type->getScalarSizeInBits();
  llvm::Type* integer = builder_.getIntNTy(bits);
  value = builder_.CreateBitCast(value, integer);
  Value* result = llvm::ConstantInt::get(integer, 0);
  for (unsigned first = 0; first < bits; first += wordBits) {
    Value* word =
        builder_.CreateZExtOrTrunc(builder_.CreateLShr(value, first), builder_.getInt32Ty());
    result = builder_.CreateOr(
        result, builder_.CreateShl(builder_.CreateZExtOrTrunc(moved(word), integer), first));
  }
  return builder_.CreateBitCast(result, type);
}

Value* Warp::shuffle(Value* value, Value* lane) {
  return eachWord(value, [&](Value* word) {
    return builder_.CreateIntrinsic(llvm::Intrinsic::nvvm_shfl_sync_idx_i32,
                                    {mask_, word, lane, builder_.getInt32(warpItems - 1)});
  });
}

Value* Warp::shuffleUp(Value* value, unsigned distance) {
  return eachWord(value, [&](Value* word) {
    return builder_.CreateIntrinsic(
        llvm::Intrinsic::nvvm_shfl_sync_up_i32,
        {mask_, word, builder_.getInt32(distance), builder_.getInt32(0)});
  });
}

Value* Warp::shuffleAcross(Value* value, unsigned distance) {
  return eachWord(value, [&](Value* word) {
    return builder_.CreateIntrinsic(
        llvm::Intrinsic::nvvm_shfl_sync_bfly_i32,
        {mask_, word, builder_.getInt32(distance), builder_.getInt32(warpItems - 1)});
  });
}

bool Warp::reducesAtOnce(const CollectiveArithmetic& arithmetic, const llvm::Type* type) const {
  return capability_ >= reducingCapability && type->isIntegerTy(wordBits) &&
         reduction(arithmetic.operation) != llvm::Intrinsic::not_intrinsic;
}

Value* Warp::reduced(const CollectiveArithmetic& arithmetic, Value* value) {
  if (reducesAtOnce(arithmetic, value->getType()))
    return builder_.CreateIntrinsic(reduction(arithmetic.operation), {value, mask_});
  return shuffle(scanned(arithmetic, value), lastLane());
}

Value* Warp::scanned(const CollectiveArithmetic& arithmetic, Value* value) {
  for (unsigned distance = 1; distance < warpItems; distance *= 2) {
    Value* both = joined(builder_, arithmetic.operation, shuffleUp(value, distance), value);
    value = builder_.CreateSelect(builder_.CreateICmpUGE(lane_, builder_.getInt32(distance)), both,
                                  value);
  }
  return value;
}

Value* Warp::fromBelow(Value* value, llvm::Constant* first) {
  return builder_.CreateSelect(builder_.CreateIsNull(lane_), first, shuffleUp(value, 1));
}

Value* Warp::reducedAmong(const CollectiveArithmetic& arithmetic, Value* value, uint64_t size) {
  for (unsigned distance = 1; distance < std::min<uint64_t>(size, warpItems); distance *= 2)
    value = joined(builder_, arithmetic.operation, value, shuffleAcross(value, distance));
  return value;
}

} // namespace quern::compiler
