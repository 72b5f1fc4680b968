// What the scalarizer does not take apart.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/packets/preparation.h"

namespace quern::compiler {
namespace {

using llvm::Value;
using Values = llvm::SmallVector<Value*, 16>;

Values elementsOf(llvm::IRBuilder<>& builder, Value* value) {
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  if (!type)
    return {value};
  Values elements;
  for (unsigned i = 0; i < type->getNumElements(); ++i)
    elements.push_back(builder.CreateExtractElement(value, i));
  return elements;
}

/// One element after the other, as the definition of unordered floating-point reductions allows
/// and that of ordered ones asks for.
Value* expandReduction(llvm::IntrinsicInst& reduction) {
  llvm::IRBuilder<> builder(&reduction);
  builder.setFastMathFlags(reduction.getType()->isFloatingPointTy() ? reduction.getFastMathFlags()
                                                                    : llvm::FastMathFlags());
  const llvm::Intrinsic::ID id = reduction.getIntrinsicID();
  Values elements = elementsOf(builder, reduction.getArgOperand(reduction.arg_size() - 1));
  if (reduction.arg_size() == 2)
    elements.insert(elements.begin(), reduction.getArgOperand(0));
  Value* result = elements.front();
  for (Value* element : llvm::drop_begin(elements)) {
    switch (id) {
    case llvm::Intrinsic::vector_reduce_smax:
    case llvm::Intrinsic::vector_reduce_smin:
    case llvm::Intrinsic::vector_reduce_umax:
    case llvm::Intrinsic::vector_reduce_umin:
    case llvm::Intrinsic::vector_reduce_fmax:
    case llvm::Intrinsic::vector_reduce_fmin:
      result =
          builder.CreateBinaryIntrinsic(llvm::getMinMaxReductionIntrinsicOp(id), result, element);
      break;
    default:
      result = builder.CreateBinOp(
          static_cast<llvm::Instruction::BinaryOps>(llvm::getArithmeticReductionInstruction(id)),
          result, element);
    }
  }
  return result;
}

bool isReduction(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call)
    return false;
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::vector_reduce_add:
  case llvm::Intrinsic::vector_reduce_mul:
  case llvm::Intrinsic::vector_reduce_and:
  case llvm::Intrinsic::vector_reduce_or:
  case llvm::Intrinsic::vector_reduce_xor:
  case llvm::Intrinsic::vector_reduce_smax:
  case llvm::Intrinsic::vector_reduce_smin:
  case llvm::Intrinsic::vector_reduce_umax:
  case llvm::Intrinsic::vector_reduce_umin:
  case llvm::Intrinsic::vector_reduce_fmax:
  case llvm::Intrinsic::vector_reduce_fmin:
  case llvm::Intrinsic::vector_reduce_fadd:
  case llvm::Intrinsic::vector_reduce_fmul:
    return true;
  default:
    return false;
  }
}

unsigned countOf(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

/// Bits go from one vector to another of more or fewer elements, or to or from a number.
bool regroupsBits(const llvm::Instruction& instruction) {
  if (!llvm::isa<llvm::BitCastInst>(instruction))
    return false;
  const llvm::Type *from = instruction.getOperand(0)->getType(), *to = instruction.getType();
  const unsigned fromBits = from->getScalarSizeInBits(), toBits = to->getScalarSizeInBits();
  return countOf(from) != countOf(to) && fromBits <= 64 && toBits <= 64 &&
         (fromBits % toBits == 0 || toBits % fromBits == 0);
}

/// Elements of single bits, which nothing in a packet holds several of.
bool isOfBits(const llvm::Instruction& instruction) {
  return instruction.getOperand(0)->getType()->isIntOrIntVectorTy(1) ||
         instruction.getType()->isIntOrIntVectorTy(1);
}

Value* expandRegrouping(llvm::BitCastInst& cast) {
  llvm::IRBuilder<> builder(&cast);
  llvm::Type* type = cast.getType();
  Values from = elementsOf(builder, cast.getOperand(0)), to;
  const unsigned fromBits = from.front()->getType()->getScalarSizeInBits();
  const unsigned toBits = type->getScalarSizeInBits();
  llvm::Type* toInt = builder.getIntNTy(toBits);
  for (Value*& element : from)
    element = builder.CreateBitCast(element, builder.getIntNTy(fromBits));
  if (fromBits > toBits) {
    for (Value* element : from)
      for (unsigned shift = 0; shift < fromBits; shift += toBits)
        to.push_back(builder.CreateTrunc(builder.CreateLShr(element, shift), toInt));
  } else {
    const unsigned parts = toBits / fromBits;
    for (unsigned i = 0; i < from.size(); i += parts) {
      Value* whole = builder.CreateZExt(from[i], toInt);
      for (unsigned part = 1; part < parts; ++part)
        whole = builder.CreateOr(
            whole, builder.CreateShl(builder.CreateZExt(from[i + part], toInt), part * fromBits));
      to.push_back(whole);
    }
  }
  for (Value*& element : to)
    element = builder.CreateBitCast(element, type->getScalarType());
  if (!type->isVectorTy())
    return to.front();
  Value* result = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < to.size(); ++i)
    result = builder.CreateInsertElement(result, to[i], i);
  return result;
}

} // namespace

bool expandVectorOperations(llvm::Function& function, VectorForm vectors) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    Value* result = nullptr;
    if (isReduction(instruction))
      result = expandReduction(llvm::cast<llvm::IntrinsicInst>(instruction));
    else if (regroupsBits(instruction) && (vectors == VectorForm::Apart || isOfBits(instruction)))
      result = expandRegrouping(llvm::cast<llvm::BitCastInst>(instruction));
    else
      continue;
    instruction.replaceAllUsesWith(result);
    instruction.eraseFromParent();
    changed = true;
  }
  return changed;
}

} // namespace quern::compiler
