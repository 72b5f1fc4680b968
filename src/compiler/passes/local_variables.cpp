#include "compiler/passes/local_variables.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Support/MathExtras.h>

#include "compiler/il/address_space.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

/// Arrays start at cache-line boundaries, which costs little and lets vector code use aligned
/// accesses.
constexpr uint64_t arrayAlignment = 64;

bool usedIn(const llvm::Value& value, const llvm::Function& function) {
  for (const llvm::User* user : value.users())
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
        instruction && instruction->getFunction() == &function)
      return true;
  return false;
}

class Layout {
public:
  explicit Layout(llvm::Function& item)
      : item_(item), builder_(&item.getEntryBlock(), item.getEntryBlock().getFirstInsertionPt()) {}

  void place(llvm::GlobalVariable& variable) {
    const llvm::DataLayout& layout = item_.getDataLayout();
    const uint64_t bytes = layout.getTypeAllocSize(variable.getValueType());
    uint64_t alignment =
        layout.getValueOrABITypeAlignment(variable.getAlign(), variable.getValueType()).value();
    if (bytes >= arrayAlignment)
      alignment = std::max(alignment, arrayAlignment);
    bytes_ = llvm::alignTo(bytes_, alignment);
    llvm::Value* address = builder_.CreateConstInBoundsGEP1_64(
        builder_.getInt8Ty(), hidden(item_, Hidden::Local), bytes_, variable.getName());
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
