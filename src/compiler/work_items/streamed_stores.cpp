#include "compiler/work_items/streamed_stores.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/il/address_space.h"
#include "compiler/il/boundary.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

/// The stores of a work-item body to buffers that it only writes.
class WrittenBuffers {
public:
  explicit WrittenBuffers(llvm::Function& item) : item_(item) {
    for (llvm::Instruction& instruction : llvm::instructions(item))
      if (isOrdered_ && instruction.mayReadOrWriteMemory())
        isOrdered_ = visit(instruction);
  }

  llvm::SmallVector<llvm::StoreInst*> stores() const {
    llvm::SmallVector<llvm::StoreInst*> result;
    if (isOrdered_)
      for (llvm::StoreInst* store : stores_)
        if (!read_.contains(bufferOf(*store)))
          result.push_back(store);
    return result;
  }

private:
  /// False where it is not known what `instruction` reads, or where it may make stores visible to
  /// other threads.
  bool visit(llvm::Instruction& instruction) {
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      if (store->isSimple() && bufferOf(*store))
        stores_.push_back(store);
      return store->isUnordered();
    }
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return load->isUnordered() && reads(load->getPointerOperand());
    if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
      return reads(copy->getRawSource());
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
      return call->isAssumeLikeIntrinsic() || llvm::isa<llvm::MemSetInst>(call);
    return boundaryOf(instruction).has_value();
  }

  bool reads(const llvm::Value* pointer) {
    llvm::SmallVector<const llvm::Value*> objects;
    llvm::getUnderlyingObjects(pointer, objects, nullptr, 0);
    for (const llvm::Value* object : objects) {
      if (const auto* argument = llvm::dyn_cast<llvm::Argument>(object))
        read_.insert(argument);
      else if (!llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(object))
        return false;
    }
    return true;
  }

  /// The argument that points to what `store` writes, if it is the kernel's and one of global
  /// memory.
  const llvm::Argument* bufferOf(const llvm::StoreInst& store) const {
    const auto* argument =
        llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(store.getPointerOperand(), 0));
    const bool isBuffer = argument && argument->getArgNo() < kernelArgumentCount(item_) &&
                          argument->getType()->getPointerAddressSpace() == address_space::global;
    return isBuffer ? argument : nullptr;
  }

  const llvm::Function& item_;
  bool isOrdered_ = true;
  llvm::SmallVector<llvm::StoreInst*> stores_;
  llvm::SmallPtrSet<const llvm::Argument*, 8> read_;
};

} // namespace

llvm::PreservedAnalyses StreamedStoresPass::run(llvm::Function& function,
                                                llvm::FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(names::kernelAttribute))
    return llvm::PreservedAnalyses::all();
  uint64_t bytes = 0;
  for (llvm::StoreInst* store : WrittenBuffers(function).stores()) {
    bytes += function.getDataLayout().getTypeStoreSize(store->getValueOperand()->getType());
    auto* buffer =
        llvm::cast<llvm::Argument>(llvm::getUnderlyingObject(store->getPointerOperand(), 0));
    if (function.hasFnAttribute(names::exceedsCachesAttribute) && buffer->hasNoAliasAttr())
      buffer->addAttr(llvm::Attribute::get(function.getContext(), names::streamedAttribute));
  }
  if (bytes != 0)
    setNumberAttribute(function, names::storedBytesAttribute, bytes);
  return llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
