#include "compiler/checks/shadow_values.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/checks/fault.h"
#include "compiler/il/address_space.h"

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

/// Lets `make` make something with a builder where `shadow` is there, and leaves `builder` behind
/// that.
template <typename Make>
void whereThere(llvm::IRBuilder<>& builder, const Shadow& shadow, Make make) {
  if (!shadow.isThere)
    return make(builder);
  llvm::BasicBlock* head = builder.GetInsertBlock();
  llvm::Instruction* next = &*builder.GetInsertPoint();
  llvm::IRBuilder<> inside(
      llvm::SplitBlockAndInsertIfThen(shadow.isThere, next->getIterator(), /*Unreachable=*/false));
  markAsOfChecks(head->getTerminator());
  make(inside);
  builder.SetInsertPoint(next);
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
  if (auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return exchange(*atomic, atomic->getPointerOperand(), atomic->getType());
  if (auto* atomic = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange(*atomic, atomic->getPointerOperand(), atomic->getNewValOperand()->getType());
  if (auto* stored = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    // Who finds what an atomic operation has written finds it written.
    llvm::IRBuilder<> before(stored);
    return store(before, *stored);
  }
  llvm::IRBuilder<> builder(instruction.getNextNode());
  if (auto* intrinsic = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
    return copy(builder, *intrinsic);
  if (instruction.getType()->isVoidTy())
    return;
  llvm::Value* shadow = nullptr;
  if (auto* loaded = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    shadow =
        load(builder, *loaded, loaded->getPointerOperand(), loaded->getType(), loaded->getAlign());
  // What work-items exchange may come from one that has written it.
  else if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
           call && call->isConvergent())
    return;
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

Shadow ShadowValues::shadowAt(llvm::IRBuilder<>& builder, llvm::Value* pointer) const {
  if (llvm::Value* place = memory_.shadowOf(builder, pointer))
    return {place, nullptr};
  return shared_.of(builder, pointer);
}

/// Of a value of `type` at `pointer`, which `access` loads.
llvm::Value* ShadowValues::load(llvm::IRBuilder<>& builder, llvm::Instruction& access,
                                llvm::Value* pointer, llvm::Type* type,
                                llvm::Align alignment) const {
  if (type->isAggregateType() || isOfChecks(access))
    return nullptr;
  const Shadow shadow = shadowAt(builder, pointer);
  if (!shadow)
    return nullptr;
  llvm::Type* bytes = integersOf(type, access.getDataLayout());
  // No branch, which packets would mask: where there is no shadow, the value's own bytes are read.
  llvm::Value* bits = builder.CreateAlignedLoad(bytes, shadow.place, alignment, "written");
  markAsOfChecks(bits);
  llvm::Value* unwritten =
      builder.CreateICmpNE(bits, llvm::Constant::getAllOnesValue(bytes), "unwritten");
  if (!shadow.isThere)
    return unwritten;
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector)
    return builder.CreateAnd(unwritten, shadow.isThere);
  // The last vector of a buffer may be longer than what the program has for it.
  return builder.CreateVectorSplat(
      vector->getNumElements(),
      builder.CreateAnd(builder.CreateAndReduce(unwritten), shadow.isThere));
}

void ShadowValues::store(llvm::IRBuilder<>& builder, llvm::StoreInst& store) const {
  if (isOfChecks(store))
    return;
  const Shadow shadow = shadowAt(builder, store.getPointerOperand());
  llvm::Type* stored = store.getValueOperand()->getType();
  const llvm::DataLayout& layout = store.getDataLayout();
  if (!shadow)
    return shared_.noteUnknown(builder, store.getPointerOperand(),
                               builder.getInt64(layout.getTypeStoreSize(stored)));
  llvm::Type* type = integersOf(stored, layout);
  // What the host can see is reported once, where it is stored.
  const bool isWritten = stored->isAggregateType() || store.isAtomic() ||
                         store.getPointerAddressSpace() == address_space::global;
  llvm::Value* bits =
      isWritten ? llvm::Constant::getAllOnesValue(type)
                : builder.CreateSExt(builder.CreateNot(shadowFor(store.getValueOperand())), type);
  whereThere(builder, shadow, [&](llvm::IRBuilder<>& inside) {
    markAsOfChecks(inside.CreateAlignedStore(bits, shadow.place, store.getAlign()));
  });
}

/// An atomic operation that reads and writes, with what that leaves.
void ShadowValues::exchange(llvm::Instruction& atomic, llvm::Value* pointer, llvm::Type* type) {
  llvm::IRBuilder<> builder(&atomic);
  const llvm::DataLayout& layout = atomic.getDataLayout();
  if (llvm::Value* shadow = load(builder, atomic, pointer, type, layout.getABITypeAlign(type)))
    found_[&atomic] = shadow;
  noteWritten(builder, pointer, builder.getInt64(layout.getTypeStoreSize(type)),
              layout.getABITypeAlign(type));
}

void ShadowValues::noteWritten(llvm::IRBuilder<>& builder, llvm::Value* pointer, llvm::Value* bytes,
                               llvm::MaybeAlign alignment) const {
  const Shadow shadow = shadowAt(builder, pointer);
  if (!shadow)
    return shared_.noteUnknown(builder, pointer, bytes);
  whereThere(builder, shadow, [&](llvm::IRBuilder<>& inside) {
    markAsOfChecks(inside.CreateMemSet(shadow.place, inside.getInt8(0xff), bytes, alignment));
  });
}

void ShadowValues::copy(llvm::IRBuilder<>& builder, llvm::MemIntrinsic& intrinsic) const {
  if (isOfChecks(intrinsic))
    return;
  noteWritten(builder, intrinsic.getRawDest(), intrinsic.getLength(), intrinsic.getDestAlign());
  auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&intrinsic);
  const Shadow from = transfer ? shadowAt(builder, transfer->getRawSource()) : Shadow();
  const Shadow to = from ? shadowAt(builder, intrinsic.getRawDest()) : Shadow();
  if (!to)
    return;
  whereThere(builder, from, [&](llvm::IRBuilder<>& ofSource) {
    whereThere(ofSource, to, [&](llvm::IRBuilder<>& inside) {
      markAsOfChecks(inside.CreateMemMove(to.place, intrinsic.getDestAlign(), from.place,
                                          transfer->getSourceAlign(), intrinsic.getLength()));
    });
  });
}

} // namespace quern::compiler
