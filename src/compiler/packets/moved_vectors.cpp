#include "compiler/packets/moved_vectors.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace quern::compiler {
namespace {

using llvm::Instruction;
using llvm::Value;

/// The number of the same size, or null where packets have no elements of that size.
llvm::Type* wholeType(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector || vector->getScalarSizeInBits() < 8)
    return nullptr;
  const uint64_t bits = vector->getPrimitiveSizeInBits().getFixedValue();
  if (bits != 16 && bits != 32 && bits != 64)
    return nullptr;
  return llvm::IntegerType::get(type->getContext(), static_cast<unsigned>(bits));
}

/// Elements of private arrays stay those that others ask for.
bool isOutside(const Instruction& access) {
  return !llvm::isa<llvm::AllocaInst>(
      llvm::getUnderlyingObject(llvm::getLoadStorePointerOperand(&access), 0));
}

bool isMovable(const Value* value) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
  return load && load->isSimple() && wholeType(load->getType()) && isOutside(*load);
}

bool isChoice(const Value* value) {
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(value))
    return select->getCondition()->getType()->isIntegerTy();
  return llvm::isa<llvm::PHINode, llvm::FreezeInst>(value);
}

bool stores(const llvm::Use& use) {
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(use.getUser());
  return store && store->isSimple() && store->getValueOperand() == use.get() &&
         use.getOperandNo() == 0;
}

/// What one vector moves through.
class Moves {
public:
  /// Whether all that has to do with the vector of `load` only moves it.
  bool collect(llvm::LoadInst& load) {
    values_.insert(&load);
    for (size_t i = 0; i < values_.size(); ++i) {
      Instruction* value = values_[i];
      if (!addUsers(*value) || (isChoice(value) && !addOperands(*value)))
        return false;
    }
    return true;
  }

  const llvm::SetVector<Instruction*>& values() const { return values_; }

  void makeWhole(llvm::Type* type) {
    for (Instruction* value : values_)
      whole_[value] = copyOf(*value, type);
    for (auto [value, copy] : whole_)
      if (isChoice(value))
        for (auto [from, to] : llvm::zip(value->operands(), copy->operands()))
          if (from->getType() == value->getType())
            to.set(wholeOf(*from, type));
    for (llvm::StoreInst* store : stores_)
      store->setOperand(0, whole_[llvm::cast<Instruction>(store->getValueOperand())]);
    for (Instruction* value : values_) {
      value->replaceAllUsesWith(llvm::PoisonValue::get(value->getType()));
      value->eraseFromParent();
    }
  }

private:
  bool addUsers(Instruction& value) {
    return llvm::all_of(value.uses(), [&](llvm::Use& use) {
      if (stores(use)) {
        auto* store = llvm::cast<llvm::StoreInst>(use.getUser());
        stores_.insert(store);
        return isOutside(*store);
      }
      if (!isChoice(use.getUser()))
        return false;
      values_.insert(llvm::cast<Instruction>(use.getUser()));
      return true;
    });
  }

  bool addOperands(Instruction& choice) {
    return llvm::all_of(choice.operands(), [&](Value* operand) {
      if (operand->getType() != choice.getType() || llvm::isa<llvm::ConstantData>(operand))
        return true;
      if (!isChoice(operand) && !isMovable(operand))
        return false;
      values_.insert(llvm::cast<Instruction>(operand));
      return true;
    });
  }

  static Instruction* copyOf(Instruction& value, llvm::Type* type) {
    Instruction* copy = value.clone();
    copy->mutateType(type);
    copy->dropPoisonGeneratingMetadata();
    copy->setName(value.getName());
    copy->insertBefore(value.getIterator());
    return copy;
  }

  Value* wholeOf(Value& value, llvm::Type* type) const {
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(&value))
      return llvm::ConstantFoldCastOperand(llvm::Instruction::BitCast, constant, type,
                                           values_.front()->getDataLayout());
    return whole_.lookup(llvm::cast<Instruction>(&value));
  }

  llvm::SetVector<Instruction*> values_;
  llvm::SetVector<llvm::StoreInst*> stores_;
  llvm::MapVector<Instruction*, Instruction*> whole_;
};

bool isOnlyMoved(const Instruction& value, unsigned depth) {
  constexpr unsigned maxDepth = 4;
  return depth < maxDepth &&
         llvm::all_of(
             value.uses(),
             [&](const llvm::Use& use) {
               return stores(use) ||
                      (isChoice(use.getUser()) &&
                       isOnlyMoved(*llvm::cast<Instruction>(use.getUser()), depth + 1));
             });
}

} // namespace

bool moveVectorsWhole(llvm::Function& region) {
  llvm::SmallVector<llvm::LoadInst*> loads;
  for (Instruction& instruction : llvm::instructions(region))
    if (isMovable(&instruction))
      loads.push_back(llvm::cast<llvm::LoadInst>(&instruction));
  llvm::SmallPtrSet<const Instruction*, 16> done;
  bool changed = false;
  for (llvm::LoadInst* load : loads) {
    if (done.contains(load))
      continue;
    Moves moves;
    const bool isMoved = moves.collect(*load);
    done.insert_range(moves.values());
    if (isMoved)
      moves.makeWhole(wholeType(load->getType()));
    changed |= isMoved;
  }
  return changed;
}

bool isOnlyMoved(const Instruction& value) {
  return (llvm::isa<llvm::LoadInst>(value) || isChoice(&value)) && isOnlyMoved(value, 0);
}

} // namespace quern::compiler
