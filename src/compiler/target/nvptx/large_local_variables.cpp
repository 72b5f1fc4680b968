#include "compiler/target/nvptx/large_local_variables.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Support/MathExtras.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/target/nvptx/kernels.h"
#include "compiler/target/nvptx/remap_address_spaces.h"

namespace quern::compiler {
namespace {

/// What the driver's compiler allows for the variables of one kernel.
constexpr uint64_t maxVariableBytes = 48 << 10;

using Variables = llvm::SmallVector<llvm::GlobalVariable*>;

/// No function but kernels names local variables: those that did are parts of kernels by now.
Variables variablesOf(const llvm::Function& kernel, const Variables& all) {
  const auto isUsed = [&](const llvm::GlobalVariable* variable) {
    return llvm::any_of(variable->users(), [&](const llvm::User* user) {
      return llvm::cast<llvm::Instruction>(user)->getFunction() == &kernel;
    });
  };
  Variables used;
  llvm::copy_if(all, std::back_inserter(used), isUsed);
  return used;
}

/// Where each variable starts, and at last where all end.
llvm::SmallVector<uint64_t> layOut(const Variables& variables) {
  llvm::SmallVector<uint64_t> offsets;
  uint64_t end = 0;
  for (const llvm::GlobalVariable* variable : variables) {
    const llvm::DataLayout& layout = variable->getDataLayout();
    const uint64_t start = llvm::alignTo(
        end, layout.getValueOrABITypeAlignment(variable->getAlign(), variable->getValueType()));
    offsets.push_back(start);
    end = start + layout.getTypeAllocSize(variable->getValueType());
  }
  offsets.push_back(end);
  return offsets;
}

void move(llvm::GlobalVariable& variable, llvm::Function& kernel, uint64_t offset) {
  llvm::IRBuilder<> builder(&kernel.getEntryBlock(), kernel.getEntryBlock().getFirstInsertionPt());
  llvm::Value* address = builder.CreateConstInBoundsGEP1_64(
      builder.getInt8Ty(), &dynamicMemory(*kernel.getParent()), offset);
  variable.replaceUsesWithIf(address, [&](const llvm::Use& use) {
    return llvm::cast<llvm::Instruction>(use.getUser())->getFunction() == &kernel;
  });
}

} // namespace

llvm::PreservedAnalyses LargeLocalVariablesPass::run(llvm::Module& module,
                                                     llvm::ModuleAnalysisManager&) {
  Variables all;
  llvm::SmallVector<llvm::Constant*> constants;
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == nvptx_space::shared && !variable.isDeclaration()) {
      all.push_back(&variable);
      constants.push_back(&variable);
    }
  if (layOut(all).back() <= maxVariableBytes)
    return llvm::PreservedAnalyses::all();
  llvm::convertUsersOfConstantsToInstructions(constants);
  for (llvm::Function* kernel : kernelFunctions(module)) {
    const Variables own = variablesOf(*kernel, all);
    const llvm::SmallVector<uint64_t> offsets = layOut(own);
    if (offsets.back() <= maxVariableBytes)
      continue;
    for (size_t i = 0; i < own.size(); ++i)
      move(*own[i], *kernel, offsets[i]);
    setNumberAttribute(*kernel, names::localBytesAttribute, offsets.back());
  }
  for (llvm::GlobalVariable* variable : all)
    if (variable->use_empty())
      variable->eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
