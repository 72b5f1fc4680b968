#include "compiler/packets/whole_vectors.h"

#include <numeric>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace quern::compiler {
namespace {

using llvm::Value;
using Places = llvm::SmallVector<int, 64>;

/// Whether packets have elements of a type, or of what it is a vector of.
bool hasElements(const llvm::Type* type) {
  const llvm::Type* element = type->getScalarType();
  const bool isNumber = element->isHalfTy() || element->isFloatTy() || element->isDoubleTy() ||
                        element->isIntegerTy(1) || element->isIntegerTy(8) ||
                        element->isIntegerTy(16) || element->isIntegerTy(32) ||
                        element->isIntegerTy(64);
  if (!type->isVectorTy())
    return isNumber || type->isPointerTy() || type->isVoidTy() || type->isLabelTy();
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector && isNumber && llvm::isPowerOf2_32(vector->getNumElements());
}

/// Arrays of a work-item have their elements beside those of the other work-items.
bool isWholeAccess(const llvm::Instruction& access) {
  const bool isSimple = llvm::isa<llvm::LoadInst>(access)
                            ? llvm::cast<llvm::LoadInst>(access).isSimple()
                            : llvm::cast<llvm::StoreInst>(access).isSimple();
  return isSimple && llvm::getLoadStoreType(&access)->getScalarSizeInBits() >= 8 &&
         !llvm::isa<llvm::AllocaInst>(
             llvm::getUnderlyingObject(llvm::getLoadStorePointerOperand(&access), 0));
}

unsigned lanesOf(const Value* vector) {
  return llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
}

} // namespace

unsigned elementsOf(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

bool isOfVectors(const llvm::Instruction& instruction) {
  return instruction.getType()->isVectorTy() ||
         llvm::any_of(instruction.operands(),
                      [](const llvm::Use& operand) { return operand->getType()->isVectorTy(); });
}

bool canStayWhole(const llvm::Instruction& instruction) {
  if (!hasElements(instruction.getType()) ||
      !llvm::all_of(instruction.operands(),
                    [](const llvm::Use& operand) { return hasElements(operand->getType()); }))
    return false;
  if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction))
    return isWholeAccess(instruction);
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return llvm::isTriviallyVectorizable(call->getIntrinsicID());
  if (llvm::isa<llvm::InsertElementInst, llvm::ExtractElementInst>(instruction))
    return llvm::isa<llvm::ConstantInt>(instruction.getOperand(instruction.getNumOperands() - 1));
  return (instruction.isBinaryOp() && !instruction.isIntDivRem()) || instruction.isUnaryOp() ||
         instruction.isCast() ||
         llvm::isa<llvm::CmpInst, llvm::SelectInst, llvm::PHINode, llvm::FreezeInst,
                   llvm::ShuffleVectorInst>(instruction);
}

bool keepsVectorsWhole(const llvm::Function& region) {
  bool hasVectors = false;
  for (const llvm::Instruction& instruction : llvm::instructions(region)) {
    if (!isOfVectors(instruction))
      continue;
    hasVectors = true;
    if (!canStayWhole(instruction) ||
        llvm::isa<llvm::InsertElementInst, llvm::ExtractElementInst, llvm::ShuffleVectorInst>(
            instruction))
      return false;
  }
  return hasVectors;
}

unsigned widestVectorBits(const llvm::Function& region) {
  unsigned bits = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(region))
    if (instruction.getType()->isVectorTy())
      bits = std::max<unsigned>(bits, instruction.getType()->getPrimitiveSizeInBits());
  return bits;
}

Value* forEachElement(llvm::IRBuilderBase& builder, Value* vector, unsigned elements) {
  if (elements == 1)
    return vector;
  Places places(lanesOf(vector) * elements);
  for (unsigned i = 0; i < places.size(); ++i)
    places[i] = static_cast<int>(i / elements);
  return builder.CreateShuffleVector(vector, places);
}

Value* forEachItem(llvm::IRBuilderBase& builder, Value* value, unsigned items) {
  if (!value->getType()->isVectorTy())
    return builder.CreateVectorSplat(items, value);
  const unsigned elements = lanesOf(value);
  Places places(items * elements);
  for (unsigned i = 0; i < places.size(); ++i)
    places[i] = static_cast<int>(i % elements);
  return builder.CreateShuffleVector(value, places);
}

Value* partOfItem(llvm::IRBuilderBase& builder, Value* whole, unsigned item, unsigned elements) {
  if (elements == 1)
    return builder.CreateExtractElement(whole, uint64_t{item});
  Places places(elements);
  std::iota(places.begin(), places.end(), static_cast<int>(item * elements));
  return builder.CreateShuffleVector(whole, places);
}

Value* takeElement(llvm::IRBuilderBase& builder, Value* whole, unsigned elements, unsigned place) {
  Places places(lanesOf(whole) / elements);
  for (unsigned item = 0; item < places.size(); ++item)
    places[item] = static_cast<int>(item * elements + place);
  return builder.CreateShuffleVector(whole, places);
}

Value* putElement(llvm::IRBuilderBase& builder, Value* whole, Value* element, unsigned elements,
                  unsigned place) {
  const unsigned lanes = lanesOf(whole);
  Places places(lanes);
  for (unsigned i = 0; i < lanes; ++i)
    places[i] = static_cast<int>(i % elements == place ? lanes + i : i);
  return builder.CreateShuffleVector(whole, forEachElement(builder, element, elements), places);
}

Value* shuffleWhole(llvm::IRBuilderBase& builder, const llvm::ShuffleVectorInst& shuffle,
                    Value* left, Value* right) {
  const unsigned elements = elementsOf(shuffle.getOperand(0)->getType());
  const unsigned lanes = lanesOf(left);
  Places places;
  for (unsigned begin = 0; begin < lanes; begin += elements)
    for (const int place : shuffle.getShuffleMask()) {
      const auto from = static_cast<unsigned>(place);
      places.push_back(
          place < 0 ? -1
                    : static_cast<int>(begin + (from < elements ? from : lanes + from - elements)));
    }
  return builder.CreateShuffleVector(left, right, places);
}

} // namespace quern::compiler
