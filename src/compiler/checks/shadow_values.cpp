#include "compiler/checks/shadow_values.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace quern::compiler {
namespace {

llvm::Type* shadowType(llvm::Type* type) {
  llvm::Type* bit = llvm::Type::getInt1Ty(type->getContext());
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? llvm::FixedVectorType::get(bit, vector->getNumElements()) : bit;
}

/// The type of integers that have the places of `type` in memory.
llvm::Type* integersOf(llvm::Type* type, const llvm::DataLayout& layout) {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return llvm::FixedVectorType::get(
        llvm::IntegerType::get(type->getContext(),
                               layout.getTypeSizeInBits(vector->getElementType())),
        vector->getNumElements());
  return llvm::IntegerType::get(type->getContext(), layout.getTypeStoreSizeInBits(type));
}

bool isUnwritten(const llvm::Value* value) {
  return value->getType()->isPointerTy() && llvm::isa<llvm::UndefValue>(value) &&
         !llvm::isa<llvm::PoisonValue>(value);
}

llvm::Value* anyElement(llvm::IRBuilder<>& builder, llvm::Value* shadow) {
  return shadow->getType()->isVectorTy() ? builder.CreateOrReduce(shadow) : shadow;
}

/// `shadow`, of a value with other elements, as that of a value of `type`.
llvm::Value* fit(llvm::IRBuilder<>& builder, llvm::Value* shadow, llvm::Type* type) {
  if (shadow->getType() == type)
    return shadow;
  llvm::Value* any = anyElement(builder, shadow);
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? builder.CreateVectorSplat(vector->getNumElements(), any) : any;
}

} // namespace

llvm::Value* ShadowValues::lookup(llvm::Value* value) const {
  if (isUnwritten(value))
    return llvm::ConstantInt::getTrue(value->getContext());
  return shadows_.lookup(value);
}

llvm::Value* ShadowValues::shadowFor(llvm::Value* value) const {
  llvm::Value* shadow = lookup(value);
  return shadow ? shadow : llvm::Constant::getNullValue(shadowType(value->getType()));
}

llvm::Value* ShadowValues::anyOf(llvm::IRBuilder<>& builder, llvm::Value* value) const {
  llvm::Value* shadow = lookup(value);
  return shadow ? anyElement(builder, shadow) : nullptr;
}

void ShadowValues::add(llvm::Instruction& instruction) {
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
    llvm::IRBuilder<> builder(phi);
    shadows_[phi] = builder.CreatePHI(shadowType(phi->getType()), phi->getNumIncomingValues());
    phis_.push_back(phi);
    return;
  }
  if (instruction.isTerminator() || llvm::isa<llvm::AllocaInst>(instruction))
    return;
  llvm::IRBuilder<> builder(instruction.getNextNode());
  if (auto* stored = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store(builder, *stored);
  if (auto* intrinsic = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
    return copy(builder, *intrinsic);
  if (instruction.getType()->isVoidTy() || instruction.isAtomic())
    return;
  llvm::Value* shadow = nullptr;
  if (auto* loaded = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    shadow = load(builder, *loaded);
  else if (llvm::any_of(instruction.operands(),
                        [&](const llvm::Use& use) { return lookup(use) != nullptr; }))
    shadow = ofOperands(builder, instruction);
  if (shadow)
    shadows_[&instruction] = shadow;
}

void ShadowValues::complete() {
  for (llvm::PHINode* phi : phis_) {
    auto* shadow = llvm::cast<llvm::PHINode>(shadows_.lookup(phi));
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
      shadow->addIncoming(shadowFor(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
  }
}

llvm::Value* ShadowValues::ofOperands(llvm::IRBuilder<>& builder,
                                      llvm::Instruction& instruction) const {
  if (llvm::Value* shadow = ofElements(builder, instruction))
    return shadow;
  llvm::Type* type = shadowType(instruction.getType());
  llvm::Value* joined = llvm::Constant::getNullValue(type);
  for (const llvm::Use& operand : instruction.operands())
    if (llvm::Value* shadow = lookup(operand))
      joined = builder.CreateOr(joined, fit(builder, shadow, type));
  return joined;
}

/// Of what takes elements from one place to another; null for anything else.
llvm::Value* ShadowValues::ofElements(llvm::IRBuilder<>& builder,
                                      llvm::Instruction& instruction) const {
  const auto operand = [&](unsigned index) { return shadowFor(instruction.getOperand(index)); };
  if (llvm::isa<llvm::ExtractElementInst>(instruction))
    return builder.CreateExtractElement(operand(0), instruction.getOperand(1));
  if (llvm::isa<llvm::InsertElementInst>(instruction))
    return builder.CreateInsertElement(operand(0), operand(1), instruction.getOperand(2));
  if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
    llvm::SmallVector<int> mask(shuffle->getShuffleMask());
    // What is taken from nowhere is there to fill a vector.
    const int count = llvm::cast<llvm::FixedVectorType>(operand(0)->getType())->getNumElements();
    llvm::Value* second = llvm::isa<llvm::UndefValue>(instruction.getOperand(1))
                              ? llvm::Constant::getNullValue(operand(0)->getType())
                              : operand(1);
    llvm::Value* none = llvm::Constant::getNullValue(operand(0)->getType());
    const bool isPadded = llvm::is_contained(mask, llvm::PoisonMaskElem);
    if (!isPadded)
      return builder.CreateShuffleVector(operand(0), second, mask);
    if (!llvm::isa<llvm::UndefValue>(instruction.getOperand(1)))
      return nullptr;
    for (int& index : mask)
      if (index == llvm::PoisonMaskElem)
        index = count;
    return builder.CreateShuffleVector(operand(0), none, mask);
  }
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    llvm::Value* chosen = builder.CreateSelect(select->getCondition(), operand(1), operand(2));
    return builder.CreateOr(chosen, fit(builder, operand(0), chosen->getType()));
  }
  return nullptr;
}

llvm::Value* ShadowValues::load(llvm::IRBuilder<>& builder, llvm::LoadInst& load) const {
  llvm::Value* place = memory_.shadowOf(builder, load.getPointerOperand());
  if (!place || load.getType()->isAggregateType())
    return nullptr;
  llvm::Type* type = integersOf(load.getType(), load.getDataLayout());
  llvm::Value* bits = builder.CreateAlignedLoad(type, place, load.getAlign());
  return builder.CreateICmpNE(bits, llvm::Constant::getNullValue(type), "unwritten");
}

void ShadowValues::store(llvm::IRBuilder<>& builder, llvm::StoreInst& store) const {
  llvm::Value* place = memory_.shadowOf(builder, store.getPointerOperand());
  if (!place)
    return;
  llvm::Type* stored = store.getValueOperand()->getType();
  llvm::Type* type = integersOf(stored, store.getDataLayout());
  llvm::Value* bits = stored->isAggregateType()
                          ? llvm::Constant::getNullValue(type)
                          : builder.CreateSExt(shadowFor(store.getValueOperand()), type);
  builder.CreateAlignedStore(bits, place, store.getAlign());
}

void ShadowValues::copy(llvm::IRBuilder<>& builder, llvm::MemIntrinsic& intrinsic) const {
  llvm::Value* to = memory_.shadowOf(builder, intrinsic.getRawDest());
  if (!to)
    return;
  const llvm::MaybeAlign alignment = intrinsic.getDestAlign();
  auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&intrinsic);
  if (llvm::Value* from = transfer ? memory_.shadowOf(builder, transfer->getRawSource()) : nullptr)
    builder.CreateMemMove(to, alignment, from, transfer->getSourceAlign(), intrinsic.getLength());
  else
    builder.CreateMemSet(to, builder.getInt8(0), intrinsic.getLength(), alignment);
}

} // namespace quern::compiler
