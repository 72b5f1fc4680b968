// Accesses to places that lie next to each other where no index wraps, which the packet asks first.
#include <llvm/IR/MDBuilder.h>

#include "compiler/packets/packet_values.h"
#include "compiler/packets/widening.h"

namespace quern::compiler {

using llvm::Value;

std::optional<PacketValues::Neighbours> PacketValues::neighboursUnlessWrapped(Value* pointer,
                                                                              llvm::Type* type) {
  const int64_t bytes = function_.getDataLayout().getTypeStoreSize(type).getFixedValue();
  const std::optional<Widening> widening = wideningOf(pointer, plan_.shapes);
  if (!widening || std::abs(widening->stride) != bytes || type->isIntegerTy(1))
    return std::nullopt;
  Value* noneWraps = nullptr;
  for (const llvm::Instruction* conversion : widening->conversions) {
    Value* stays = staysInRange(*conversion);
    noneWraps = noneWraps ? builder_.CreateAnd(noneWraps, stays) : stays;
  }
  return Neighbours{noneWraps, unwrapped(pointer), widening->stride > 0 ? 1 : -1};
}

/// Whether the operand of `conversion` is in order from the packet's first work-item to its last.
Value* PacketValues::staysInRange(const llvm::Instruction& conversion) {
  Value* operand = conversion.getOperand(0);
  const bool isUpperHalf = widensUpperHalf(conversion);
  const int64_t stride = plan_.shapes.of(operand).stride >> (isUpperHalf ? 32 : 0);
  const int64_t span = stride * (plan_.width - 1);
  Value* narrow = isUpperHalf ? builder_.CreateLShr(scalar(operand), 32) : scalar(operand);
  Value* first = builder_.CreateTrunc(narrow, builder_.getInt32Ty());
  const bool isSigned = isUpperHalf || llvm::isa<llvm::SExtInst>(conversion);
  const int64_t least = isSigned ? INT32_MIN : 0, greatest = isSigned ? INT32_MAX : UINT32_MAX;
  const auto number = [&](int64_t value) {
    return builder_.getInt32(static_cast<uint32_t>(value));
  };
  using llvm::CmpInst;
  if (span > 0)
    return builder_.CreateICmp(isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE, first,
                               number(greatest - span));
  return builder_.CreateICmp(isSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE, first,
                             number(least - span));
}

/// What a part of such an address (Widening) is for the packet's first work-item.
Value* PacketValues::unwrapped(Value* value) {
  if (!plan_.shapes.of(value).isVarying())
    return scalar(value);
  llvm::Instruction* copy = llvm::cast<llvm::Instruction>(value)->clone();
  for (llvm::Use& operand : copy->operands())
    operand = unwrapped(operand);
  // It may be one that does not run this.
  copy->dropPoisonGeneratingFlags();
  return builder_.Insert(copy);
}

/// What one of two ways makes; the first one is the rule. Neither may ask for values of the region:
/// those that it made would be known afterwards.
Value* PacketValues::either(Value* condition, llvm::function_ref<Value*()> ifTrue,
                            llvm::function_ref<Value*()> ifFalse) {
  const auto newBlock = [&](const char* name) {
    return llvm::BasicBlock::Create(builder_.getContext(), name, &function_);
  };
  llvm::BasicBlock *together = newBlock("together"), *apart = newBlock("apart"),
                   *done = newBlock("access.done");
  builder_.CreateCondBr(condition, together, apart,
                        llvm::MDBuilder(builder_.getContext()).createLikelyBranchWeights());
  builder_.SetInsertPoint(together);
  Value* first = ifTrue();
  together = builder_.GetInsertBlock();
  builder_.CreateBr(done);
  builder_.SetInsertPoint(apart);
  Value* second = ifFalse();
  apart = builder_.GetInsertBlock();
  builder_.CreateBr(done);
  builder_.SetInsertPoint(done);
  if (!first)
    return nullptr;
  llvm::PHINode* result = builder_.CreatePHI(first->getType(), 2);
  result->addIncoming(first, together);
  result->addIncoming(second, apart);
  return result;
}

} // namespace quern::compiler
