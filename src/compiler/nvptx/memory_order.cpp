#include "compiler/nvptx/memory_order.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/nvptx/remap_address_spaces.h"

namespace quern::compiler {
namespace {

using llvm::AtomicOrdering;

class Ordering {
public:
  explicit Ordering(llvm::LLVMContext& context)
      : device_(context.getOrInsertSyncScopeID("device")),
        group_(context.getOrInsertSyncScopeID("block")) {}

  bool change(llvm::Instruction& instruction) {
    if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      narrow(*update, *update->getPointerOperand());
      makeRelaxed(*update);
    } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      narrow(*exchange, *exchange->getPointerOperand());
    } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
               load && load->isAtomic()) {
      narrow(*load, *load->getPointerOperand());
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
               store && store->isAtomic()) {
      narrow(*store, *store->getPointerOperand());
    } else if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction);
               fence && fence->getSyncScopeID() == llvm::SyncScope::System) {
      fence->setSyncScopeID(device_);
    } else {
      return false;
    }
    return true;
  }

private:
  /// Volatile atomic operations would be taken for accesses of registers of hardware.
  template <typename Access> void narrow(Access& access, llvm::Value& pointer) {
    const bool isLocal = pointer.getType()->getPointerAddressSpace() == nvptx_space::shared;
    access.setSyncScopeID(isLocal ? group_ : device_);
    access.setVolatile(false);
  }

  void makeRelaxed(llvm::AtomicRMWInst& update) {
    const AtomicOrdering order = update.getOrdering();
    if (order == AtomicOrdering::Monotonic)
      return;
    llvm::IRBuilder<> builder(&update);
    if (llvm::isReleaseOrStronger(order))
      builder.CreateFence(order == AtomicOrdering::SequentiallyConsistent ? order
                                                                          : AtomicOrdering::Release,
                          update.getSyncScopeID());
    if (llvm::isAcquireOrStronger(order)) {
      builder.SetInsertPoint(update.getNextNode());
      builder.CreateFence(AtomicOrdering::Acquire, update.getSyncScopeID());
    }
    update.setOrdering(AtomicOrdering::Monotonic);
  }

  const llvm::SyncScope::ID device_, group_;
};

} // namespace

llvm::PreservedAnalyses MemoryOrderPass::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager&) {
  Ordering ordering(function.getContext());
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    changed |= ordering.change(instruction);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
