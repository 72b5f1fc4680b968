#include "compiler/work_items/local_variables.h"

#include <bit>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Support/MathExtras.h>

#include "compiler/il/address_space.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

/// Arrays start at cache-line boundaries, and smaller ones at multiples of the vectors that they
/// have room for, which costs little and lets vector code use aligned accesses.
constexpr uint64_t arrayAlignment = 64;
/// Of a local variable that becomes a private one.
constexpr uint64_t maxPrivateBytes = 1024;

/// Whether all work-groups have just one work-item.
bool hasOneItem(const llvm::Function& item) {
  return requiredWorkGroupSize(item) == std::array<uint64_t, 3>{1, 1, 1};
}

bool usedIn(const llvm::Value& value, const llvm::Function& function) {
  for (const llvm::User* user : value.users())
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
        instruction && instruction->getFunction() == &function)
      return true;
  return false;
}

/// Whether a pointer is only used to load and store what it points at, and never kept.
bool isOnlyAccessed(const llvm::Value& pointer, const llvm::Function& item) {
  return llvm::all_of(pointer.users(), [&](const llvm::User* user) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
    if (instruction && instruction->getFunction() != &item)
      return true;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user))
      return load->isSimple();
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
      return store->isSimple() && store->getValueOperand() != &pointer;
    return llvm::isa<llvm::GetElementPtrInst>(user) && isOnlyAccessed(*user, item);
  });
}

/// Makes the accesses in `item` through `from` accesses through `to`, in another address space.
void moveAccesses(llvm::Value& from, llvm::Value& to, const llvm::Function& item) {
  for (llvm::Use& use : llvm::make_early_inc_range(from.uses())) {
    auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    if (user->getFunction() != &item)
      continue;
    auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
    if (!address) {
      use.set(&to);
      continue;
    }
    llvm::IRBuilder<> builder(address);
    const llvm::SmallVector<llvm::Value*> indices(address->indices());
    llvm::Value* moved = builder.CreateGEP(address->getSourceElementType(), &to, indices,
                                           address->getName(), address->getNoWrapFlags());
    moveAccesses(*address, *moved, item);
    address->eraseFromParent();
  }
}

class Layout {
public:
  explicit Layout(llvm::Function& item) : item_(item), builder_(item.getContext()) {}

  void place(llvm::GlobalVariable& variable) {
    const llvm::DataLayout& layout = item_.getDataLayout();
    const uint64_t bytes = layout.getTypeAllocSize(variable.getValueType());
    const uint64_t alignment = std::max(
        layout.getValueOrABITypeAlignment(variable.getAlign(), variable.getValueType()).value(),
        std::min(arrayAlignment, std::bit_floor(bytes)));
    bytes_ = llvm::alignTo(bytes_, alignment);
    // Found anew each time, for accesses that were moved are gone.
    builder_.SetInsertPoint(&item_.getEntryBlock(),
                            last_ ? std::next(last_->getIterator())
                                  : item_.getEntryBlock().getFirstInsertionPt());
    // A group's only work-item has it for itself.
    if (hasOneItem(item_) && bytes <= maxPrivateBytes && isOnlyAccessed(variable, item_)) {
      llvm::AllocaInst* own =
          builder_.CreateAlloca(variable.getValueType(), nullptr, variable.getName());
      own->setAlignment(llvm::Align(alignment));
      last_ = own;
      moveAccesses(variable, *own, item_);
      bytes_ += bytes;
      return;
    }
    llvm::Value* address = builder_.CreateConstInBoundsGEP1_64(
        builder_.getInt8Ty(), implicitArgument(item_, ImplicitArgument::Local), bytes_,
        variable.getName());
    last_ = llvm::dyn_cast<llvm::Instruction>(address);
    variable.replaceUsesWithIf(address, [&](const llvm::Use& use) {
      const auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      return user && user->getFunction() == &item_;
    });
    bytes_ += bytes;
  }

  uint64_t bytes() const { return bytes_; }

private:
  llvm::Function& item_;
  llvm::IRBuilder<> builder_;
  llvm::Instruction* last_ = nullptr; ///< that was placed
  uint64_t bytes_ = 0;
};

} // namespace

llvm::PreservedAnalyses LocalVariablesPass::run(llvm::Module& module,
                                                llvm::ModuleAnalysisManager&) {
  llvm::SmallVector<llvm::GlobalVariable*> variables;
  llvm::SmallVector<llvm::Constant*> constants;
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == address_space::local) {
      variables.push_back(&variable);
      constants.push_back(&variable);
    }
  if (variables.empty())
    return llvm::PreservedAnalyses::all();
  llvm::convertUsersOfConstantsToInstructions(constants);
  for (llvm::Function* item : kernelFunctions(module)) {
    Layout layout(*item);
    for (llvm::GlobalVariable* variable : variables)
      if (usedIn(*variable, *item))
        layout.place(*variable);
    setNumberAttribute(*item, names::localBytesAttribute, layout.bytes());
  }
  for (llvm::GlobalVariable* variable : variables)
    if (variable->use_empty())
      variable->eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
