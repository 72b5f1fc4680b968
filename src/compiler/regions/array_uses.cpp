#include "compiler/regions/array_uses.h"

#include <bit>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace quern::compiler {
namespace {

/// Whether `address` moves its pointer by whole elements.
bool movesByElements(const llvm::GetElementPtrInst& address, uint64_t bytes) {
  const llvm::DataLayout& layout = address.getDataLayout();
  for (auto step = llvm::gep_type_begin(address); step != llvm::gep_type_end(address); ++step) {
    if (const llvm::StructType* type = step.getStructTypeOrNull()) {
      const auto field = llvm::cast<llvm::ConstantInt>(step.getOperand())->getZExtValue();
      if (layout.getStructLayout(const_cast<llvm::StructType*>(type))
                  ->getElementOffset(field)
                  .getFixedValue() %
              bytes !=
          0)
        return false;
      continue;
    }
    const uint64_t each = step.getSequentialElementStride(layout).getFixedValue();
    const unsigned zeros =
        std::countr_zero(each) +
        llvm::computeKnownBits(step.getOperand(), layout).countMinTrailingZeros();
    if (each % bytes != 0 && (!llvm::isPowerOf2_64(bytes) || zeros < llvm::Log2_64(bytes)))
      return false;
  }
  return true;
}

class Search {
public:
  explicit Search(llvm::AllocaInst& variable) : variable_(variable) {}

  ArrayUses run() {
    ArrayUses uses;
    uses.pointers.insert(&variable_);
    for (unsigned i = 0; i < uses.pointers.size(); ++i)
      for (const llvm::Use& use : uses.pointers[i]->uses())
        if (!add(use, uses))
          return {};
    for (const llvm::Instruction* pointer : uses.pointers)
      if (!stays(*pointer, uses))
        return {};
    return uses;
  }

private:
  bool add(const llvm::Use& use, ArrayUses& uses) {
    auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    if (llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst>(user)) {
      uses.pointers.insert(user);
      return true;
    }
    if (llvm::isa<llvm::LifetimeIntrinsic>(user))
      return true;
    if (auto* fill = llvm::dyn_cast<llvm::MemIntrinsic>(user)) {
      uses.fills.push_back(fill);
      return true;
    }
    if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(user) || user->isVolatile() ||
        user->isAtomic() || use.get() != llvm::getLoadStorePointerOperand(user))
      return false;
    const uint64_t bytes = elementBytes(*llvm::getLoadStoreType(user));
    if (bytes == 0 || (uses.elementBytes != 0 && uses.elementBytes != bytes))
      return false;
    uses.elementBytes = bytes;
    return true;
  }

  /// Of the numbers that an access is made of once the scalarizer has been there.
  uint64_t elementBytes(const llvm::Type& type) const {
    const llvm::Type* element = type.getScalarType();
    if (!element->isSingleValueType())
      return 0;
    const llvm::DataLayout& layout = variable_.getDataLayout();
    return layout.getTypeStoreSize(const_cast<llvm::Type*>(element)).getFixedValue();
  }

  bool stays(const llvm::Instruction& pointer, const ArrayUses& uses) const {
    if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&pointer))
      return uses.elementBytes != 0 && movesByElements(*address, uses.elementBytes);
    if (llvm::isa<llvm::AllocaInst>(pointer))
      return true;
    return llvm::all_of(pointer.operands(), [&](const llvm::Use& operand) {
      const auto* instruction = llvm::dyn_cast<llvm::Instruction>(operand);
      return !operand->getType()->isPointerTy() ||
             (instruction && uses.pointers.contains(const_cast<llvm::Instruction*>(instruction)));
    });
  }

  llvm::AllocaInst& variable_;
};

bool isExpandable(const llvm::MemIntrinsic& fill, uint64_t elementBytes) {
  const auto* length = llvm::dyn_cast<llvm::ConstantInt>(fill.getLength());
  if (!length || fill.isVolatile() || length->getZExtValue() % elementBytes != 0 ||
      elementBytes > 8)
    return false;
  // A move reads everything before it writes anything.
  return llvm::isa<llvm::MemSetInst, llvm::MemCpyInst>(fill);
}

void expand(llvm::MemIntrinsic& fill, uint64_t elementBytes) {
  llvm::IRBuilder<> builder(&fill);
  llvm::IntegerType* type = builder.getIntNTy(8 * elementBytes);
  const uint64_t count =
      llvm::cast<llvm::ConstantInt>(fill.getLength())->getZExtValue() / elementBytes;
  llvm::Value* value = nullptr;
  if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(&fill))
    value = builder.CreateMul(
        builder.CreateZExt(set->getValue(), type),
        llvm::ConstantInt::get(type, llvm::APInt::getSplat(8 * elementBytes, llvm::APInt(8, 1))));
  const auto one = [&](llvm::IRBuilder<>& at, llvm::Value* index) {
    llvm::Value* element = value;
    if (auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(&fill))
      element = at.CreateAlignedLoad(
          type, at.CreateGEP(type, copy->getRawSource(), index),
          llvm::commonAlignment(copy->getSourceAlign().valueOrOne(), elementBytes));
    at.CreateAlignedStore(element, at.CreateGEP(type, fill.getRawDest(), index),
                          llvm::commonAlignment(fill.getDestAlign().valueOrOne(), elementBytes));
  };
  constexpr uint64_t mostUnrolled = 16;
  if (count <= mostUnrolled) {
    for (uint64_t i = 0; i < count; ++i)
      one(builder, builder.getInt64(i));
  } else {
    const auto [place, index] =
        llvm::SplitBlockAndInsertSimpleForLoop(builder.getInt64(count), fill.getIterator());
    llvm::IRBuilder<> inLoop(place);
    one(inLoop, index);
  }
  fill.eraseFromParent();
}

} // namespace

ArrayUses usesOfArray(llvm::AllocaInst& variable) {
  return Search(variable).run();
}

llvm::SmallVector<llvm::AllocaInst*> variablesOf(llvm::Function& function) {
  llvm::SmallVector<llvm::AllocaInst*> variables;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      variables.push_back(variable);
  return variables;
}

bool expandArrayFills(llvm::ArrayRef<llvm::AllocaInst*> variables) {
  bool changed = false;
  for (llvm::AllocaInst* variable : variables) {
    const ArrayUses uses = usesOfArray(*variable);
    if (uses.elementBytes == 0 || !llvm::all_of(uses.fills, [&](const llvm::MemIntrinsic* fill) {
          return isExpandable(*fill, uses.elementBytes);
        }))
      continue;
    // A copy from one variable to another is a use of both.
    for (llvm::MemIntrinsic* fill :
         llvm::SmallSetVector<llvm::MemIntrinsic*, 4>(uses.fills.begin(), uses.fills.end())) {
      expand(*fill, uses.elementBytes);
      changed = true;
    }
  }
  return changed;
}

} // namespace quern::compiler
