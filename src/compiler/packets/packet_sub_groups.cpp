// Functions of a sub-group that is a packet (il/sub_group_form.h): a few instructions on vectors
// for most of them. The others are what the built-in library makes of arrays in memory.
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/il/collective.h"
#include "compiler/il/collective_arithmetic.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/packet_operation.h"
#include "compiler/packets/packet_sub_groups.h"
#include "compiler/target/x86/permutations.h"

namespace quern::compiler {

using llvm::Value;

Value* PacketSubGroups::emit(llvm::CallInst& call) {
  const llvm::StringRef name = combineName(call);
  if (Value* result = voted(call, name))
    return result;
  if (isOfPlace(name))
    return picked(call);
  if (isOfFirst(name))
    return fromFirst(call);
  if (const auto arithmetic = CollectiveArithmetic::parse(name))
    if (Value* results = arithmetic->emit(builder_, vector(call.getArgOperand(1)), mask(),
                                          call.arg_size() > 2 ? call.getArgOperand(2) : nullptr))
      return hasOneResult(call) ? builder_.CreateExtractElement(results, uint64_t{0}) : results;
  return combineInMemory(call);
}

/// Votes and ballots. Null for other functions.
Value* PacketSubGroups::voted(llvm::CallInst& call, llvm::StringRef name) {
  llvm::Type* bitsType = builder_.getIntNTy(plan_.width);
  const auto bits = [&] { return values_.holdingBits(call.getArgOperand(1)); };
  const auto number = [&](Value* result) {
    return builder_.CreateZExtOrTrunc(result, call.getType());
  };
  if (name == "all_of")
    return number(builder_.CreateICmpEQ(bits(), values_.maskBits()));
  if (name == "any_of")
    return number(builder_.CreateICmpNE(bits(), llvm::ConstantInt::get(bitsType, 0)));
  if (name == "ballot")
    return number(bits());
  if (name != "first_of")
    return nullptr;
  Value* all = values_.maskBits();
  Value* lowest = builder_.CreateAnd(all, builder_.CreateNeg(all));
  return builder_.CreateZExt(builder_.CreateBitCast(lowest, values_.maskOrAll()->getType()),
                             vectorType(builder_.getInt32Ty()));
}

/// The value of the first work-item that runs this.
Value* PacketSubGroups::fromFirst(llvm::CallInst& call) {
  Value* values = builder_.CreateFreeze(vector(call.getArgOperand(1)));
  Value* item = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, values_.maskBits(),
                                               builder_.getFalse());
  // Where nobody does, any will do.
  item =
      builder_.CreateAnd(builder_.CreateZExtOrTrunc(item, builder_.getInt64Ty()), plan_.width - 1);
  return builder_.CreateExtractElement(values, item);
}

/// How many work-items the sub-group has.
Value* PacketSubGroups::itemsOfPacket() {
  if (!plan_.isAtEdge)
    return builder_.getInt32(plan_.width);
  Value* rest = builder_.CreateNUWSub(implicitArgument(function_, ImplicitArgument::Size, 0),
                                      implicitArgument(function_, ImplicitArgument::Item, 0));
  return builder_.CreateTrunc(
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, rest, builder_.getInt64(plan_.width)),
      builder_.getInt32Ty());
}

/// The value of the work-item that each names, or its own where that is not there, which an edge
/// may lack.
Value* PacketSubGroups::picked(llvm::CallInst& call) {
  Value* index = call.getArgOperand(2);
  Value* values = builder_.CreateFreeze(vector(call.getArgOperand(1)));
  if (plan_.shapes.of(index).isUniform()) {
    Value* item = builder_.CreateFreeze(scalar(index));
    Value* value = builder_.CreateVectorSplat(
        plan_.width,
        builder_.CreateExtractElement(values, builder_.CreateAnd(item, plan_.width - 1)));
    return !plan_.isAtEdge ? value
                           : builder_.CreateSelect(builder_.CreateICmpULT(item, itemsOfPacket()),
                                                   value, values);
  }
  Value* items = builder_.CreateFreeze(vector(index));
  Value* moved = permuted(values, items);
  if (!plan_.isAtEdge)
    return moved;
  Value* exists =
      builder_.CreateICmpULT(items, builder_.CreateVectorSplat(plan_.width, itemsOfPacket()));
  return builder_.CreateSelect(exists, moved, values);
}

/// Each element is the one of `values` that the lower bits of `items` name.
Value* PacketSubGroups::permuted(Value* values, Value* items) {
  const llvm::Intrinsic::ID id = wordPermutation(plan_.machine, plan_.width);
  if (id == llvm::Intrinsic::not_intrinsic)
    return taken(values, items);
  const auto permute = [&](Value* words) {
    return builder_.CreateIntrinsic(id, {}, {words, items});
  };
  llvm::Type* type = values->getType();
  const unsigned bits = type->getScalarSizeInBits();
  llvm::Type* words = vectorType(builder_.getInt32Ty());
  llvm::Type* integers = vectorType(builder_.getIntNTy(bits));
  Value* whole = builder_.CreateBitCast(values, integers);
  if (bits <= 32)
    whole = builder_.CreateTrunc(permute(builder_.CreateZExt(whole, words)), integers);
  else
    whole = builder_.CreateOr(
        builder_.CreateZExt(permute(builder_.CreateTrunc(whole, words)), integers),
        builder_.CreateShl(
            builder_.CreateZExt(
                permute(builder_.CreateTrunc(builder_.CreateLShr(whole, 32), words)), integers),
            32));
  return builder_.CreateBitCast(whole, type);
}

/// The same without an instruction for it: LLVM keeps `values` in memory.
Value* PacketSubGroups::taken(Value* values, Value* items) {
  Value* places = builder_.CreateAnd(
      items, builder_.CreateVectorSplat(plan_.width, builder_.getInt32(plan_.width - 1)));
  Value* result = llvm::PoisonValue::get(values->getType());
  for (unsigned item = 0; item < plan_.width; ++item)
    result = builder_.CreateInsertElement(
        result, builder_.CreateExtractElement(values, builder_.CreateExtractElement(places, item)),
        item);
  return result;
}

/// As between regions (codegen/work_group_function.cpp), with arrays of the packet's work-items.
Value* PacketSubGroups::combineInMemory(llvm::CallInst& call) {
  const llvm::Align alignment(1);
  const auto inMemory = [&](Value* values) {
    llvm::AllocaInst* memory = values_.memoryOf(values->getType());
    builder_.CreateAlignedStore(values, memory, alignment);
    return memory;
  };
  Value* null = llvm::ConstantPointerNull::get(builder_.getPtrTy());
  llvm::Type* type = vectorType(call.getType());
  llvm::AllocaInst* results = values_.memoryOf(type);
  Value* operands = inMemory(vector(call.getArgOperand(1)));
  Value* others = call.arg_size() > 2 ? inMemory(vector(call.getArgOperand(2))) : null;
  Value* next =
      mask() ? inMemory(builder_.CreateZExt(mask(), vectorType(builder_.getInt32Ty()))) : null;
  auto* combine = llvm::cast<llvm::Function>(call.getArgOperand(0)->stripPointerCasts());
  llvm::CallInst* made =
      builder_.CreateCall(combine, {results, operands, others,
                                    builder_.CreateZExt(itemsOfPacket(), builder_.getInt64Ty()),
                                    next, builder_.getInt32(1)});
  made->setCallingConv(combine->getCallingConv());
  combines_.push_back(made);
  return builder_.CreateAlignedLoad(type, results, alignment);
}

void PacketSubGroups::finish() {
  for (llvm::CallInst* call : combines_) {
    llvm::InlineFunctionInfo info;
    llvm::InlineFunction(*call, info);
  }
  combines_.clear();
}

} // namespace quern::compiler
