#include "compiler/checks/shadow_memory.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/checks/fault.h"
#include "compiler/il/kernel_function.h"

namespace quern::compiler {
namespace {

/// Whether what is at `pointer` is only used by accesses through it.
bool isOnlyAccessed(const llvm::Value& pointer) {
  return llvm::all_of(pointer.uses(), [&](const llvm::Use& use) {
    const llvm::User* user = use.getUser();
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user))
      return !load->isAtomic();
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
      return !store->isAtomic() && store->getValueOperand() != &pointer;
    if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(user))
      return isOnlyAccessed(*user);
    if (const auto* number = llvm::dyn_cast<llvm::PtrToIntInst>(user))
      return isOfChecks(*number);
    const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    return intrinsic &&
           (llvm::isa<llvm::MemIntrinsic>(intrinsic) || intrinsic->isLifetimeStartOrEnd());
  });
}

} // namespace

ShadowMemory::ShadowMemory(llvm::Function& body) : layout_(body.getDataLayout()) {
  llvm::SmallVector<std::pair<llvm::AllocaInst*, uint64_t>> variables;
  for (llvm::Instruction& instruction : body.getEntryBlock())
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (const auto bytes = variable->getAllocationSize(layout_);
          bytes && isOnlyAccessed(*variable))
        variables.emplace_back(variable, bytes->getFixedValue());
  for (const auto& [variable, bytes] : variables)
    follow(*variable, bytes);
}

void ShadowMemory::follow(llvm::AllocaInst& variable, uint64_t bytes) {
  llvm::IRBuilder<> builder(&*variable.getFunction()->getEntryBlock().getFirstInsertionPt());
  auto* shadow = builder.CreateAlloca(llvm::ArrayType::get(builder.getInt8Ty(), bytes), nullptr,
                                      variable.getName() + ".written");
  shadow->setAlignment(variable.getAlign());
  shadows_[&variable] = shadow;
  const auto mark = [&] {
    builder.CreateMemSet(shadow, builder.getInt8(0), bytes, shadow->getAlign());
  };
  builder.SetInsertPoint(startOf(*variable.getFunction()));
  mark();
  for (llvm::User* user : llvm::make_early_inc_range(variable.users()))
    if (auto* start = llvm::dyn_cast<llvm::IntrinsicInst>(user);
        start && start->getIntrinsicID() == llvm::Intrinsic::lifetime_start) {
      builder.SetInsertPoint(start->getNextNode());
      mark();
    }
}

llvm::AllocaInst* ShadowMemory::rootOf(llvm::Value* pointer) const {
  while (auto* step = llvm::dyn_cast<llvm::Instruction>(pointer)) {
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(step))
      return shadows_.contains(variable) ? variable : nullptr;
    if (!llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(step))
      return nullptr;
    pointer = step->getOperand(0);
  }
  return nullptr;
}

llvm::Value* ShadowMemory::shadowOf(llvm::IRBuilder<>& builder, llvm::Value* pointer) const {
  llvm::AllocaInst* root = rootOf(pointer);
  if (!root)
    return nullptr;
  // The same steps as from the variable, so that SROA makes values of shadows where it does of
  // variables.
  llvm::SmallVector<llvm::GetElementPtrInst*> steps;
  for (llvm::Value* at = pointer; at != root; at = llvm::cast<llvm::Instruction>(at)->getOperand(0))
    if (auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(at))
      steps.push_back(step);
  llvm::Value* shadow = shadows_.lookup(root);
  for (llvm::GetElementPtrInst* step : llvm::reverse(steps))
    shadow = builder.CreateGEP(step->getSourceElementType(), shadow,
                               llvm::SmallVector<llvm::Value*>(step->indices()));
  return shadow;
}

} // namespace quern::compiler
