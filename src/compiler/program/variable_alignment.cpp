#include "compiler/program/variable_alignment.h"

#include <bit>

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "compiler/il/address_space.h"

namespace quern::compiler {
namespace {

using llvm::Align;
using llvm::Value;

/// Of vectors of sixteen elements of 8 bytes, the most that a type asks for.
constexpr uint64_t maxAlignment = 128;
constexpr uint64_t cacheLine = 64;

/// Raises the alignment of the private variables that `pointer` may lead into.
bool raise(const Value* pointer, llvm::MaybeAlign claimed) {
  if (!claimed || *claimed == Align())
    return false;
  bool changed = false;
  llvm::SmallVector<const Value*, 4> objects;
  llvm::getUnderlyingObjects(pointer, objects);
  for (const Value* object : objects)
    if (auto* variable = const_cast<llvm::AllocaInst*>(llvm::dyn_cast<llvm::AllocaInst>(object));
        variable && variable->getAlign() < *claimed && claimed->value() <= maxAlignment) {
      variable->setAlignment(*claimed);
      changed = true;
    }
  return changed;
}

bool raiseClaimed(llvm::Instruction& instruction) {
  if (const Value* pointer = llvm::getLoadStorePointerOperand(&instruction))
    return raise(pointer, llvm::getLoadStoreAlignment(&instruction));
  bool changed = false;
  if (const auto* fill = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
    changed |= raise(fill->getRawDest(), fill->getDestAlign());
  if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
    changed |= raise(copy->getRawSource(), copy->getSourceAlign());
  return changed;
}

/// What the alignment of a place in a private variable is at most.
Align possibleAlignment(const Value* pointer, Align claimed) {
  if (!llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer)))
    return claimed;
  const auto* instruction = llvm::cast<llvm::Instruction>(pointer);
  const llvm::KnownBits known = llvm::computeKnownBits(pointer, instruction->getDataLayout());
  const unsigned zeros = known.One.countr_zero();
  return zeros < llvm::Log2(claimed) ? Align(uint64_t{1} << zeros) : claimed;
}

bool lowerClaimed(llvm::Instruction& access) {
  const auto lower = [](auto& instruction) {
    const Align possible =
        possibleAlignment(instruction.getPointerOperand(), instruction.getAlign());
    if (instruction.isAtomic() || possible == instruction.getAlign())
      return false;
    instruction.setAlignment(possible);
    return true;
  };
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&access))
    return lower(*load);
  auto* store = llvm::dyn_cast<llvm::StoreInst>(&access);
  return store && lower(*store);
}

bool alignProgramVariable(llvm::GlobalVariable& variable) {
  if (variable.isDeclaration() || variable.getAddressSpace() == address_space::local ||
      !variable.getValueType()->isSized())
    return false;
  const llvm::DataLayout& layout = variable.getDataLayout();
  const uint64_t bytes = layout.getTypeAllocSize(variable.getValueType());
  const Align natural(std::min(cacheLine, std::bit_floor(std::max<uint64_t>(bytes, 1))));
  if (variable.getAlign().valueOrOne() >= natural)
    return false;
  variable.setAlignment(natural);
  return true;
}

bool forEach(llvm::Function& function, llvm::function_ref<bool(llvm::Instruction&)> change) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    changed |= change(instruction);
  return changed;
}

} // namespace

llvm::PreservedAnalyses VariableAlignmentPass::run(llvm::Module& module,
                                                   llvm::ModuleAnalysisManager&) {
  bool changed = false;
  for (llvm::GlobalVariable& variable : module.globals())
    changed |= alignProgramVariable(variable);
  for (llvm::Function& function : module) {
    changed |= forEach(function, raiseClaimed);
    changed |= forEach(function, lowerClaimed);
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
