#include "compiler/target/nvptx/dependent_launch.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

#include "abi/nvptx_kernel.h"
#include "compiler/il/names.h"
#include "compiler/il/preserved_analyses.h"
#include "compiler/target/nvptx/capability.h"
#include "compiler/target/nvptx/kernels.h"
#include "compiler/target/nvptx/remap_address_spaces.h"

namespace quern::compiler {
namespace {

bool isReadOnly(const llvm::Value* object) {
  const auto* argument = llvm::dyn_cast<llvm::Argument>(object);
  return argument && isNvptxKernel(*argument->getParent()) && argument->onlyReadsMemory() &&
         argument->hasNoAliasAttr();
}

/// Whether the back end takes the memory for such as nobody writes while the kernel runs.
bool isReadOnlyLoad(const llvm::Instruction& instruction) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  if (!load || load->isVolatile() || load->isAtomic() ||
      load->getPointerAddressSpace() != nvptx_space::global)
    return false;
  llvm::SmallVector<const llvm::Value*> objects;
  llvm::getUnderlyingObjects(load->getPointerOperand(), objects);
  return load->hasMetadata(llvm::LLVMContext::MD_invariant_load) ||
         llvm::all_of(objects, isReadOnly);
}

/// Whether a read-only load can come after something that may write to memory.
bool readsAfterWriting(llvm::Function& kernel) {
  llvm::df_iterator_default_set<llvm::BasicBlock*> afterWrites;
  for (llvm::BasicBlock& block : kernel) {
    bool hasWritten = false;
    for (const llvm::Instruction& instruction : block) {
      if (hasWritten && isReadOnlyLoad(instruction))
        return true;
      hasWritten |= instruction.mayWriteToMemory();
    }
    if (hasWritten)
      for (llvm::BasicBlock* next : llvm::successors(&block))
        for (llvm::BasicBlock* after : llvm::depth_first_ext(next, afterWrites))
          static_cast<void>(after);
  }
  return llvm::any_of(afterWrites, [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, isReadOnlyLoad);
  });
}

bool isTextureRead(const llvm::Function& function) {
  return function.isIntrinsic() && function.getName().starts_with("llvm.nvvm.tex.");
}

/// Whether `function` or one that it calls reads textures, which the driver's assembler takes for
/// such memory, too.
bool readsTextures(llvm::Function& function) {
  llvm::SmallSetVector<const llvm::Function*, 8> reached;
  reached.insert(&function);
  for (size_t i = 0; i < reached.size(); ++i)
    for (const llvm::Instruction& instruction : llvm::instructions(*reached[i]))
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (const llvm::Function* called = call->getCalledFunction()) {
          if (isTextureRead(*called))
            return true;
          reached.insert(called);
        }
  return false;
}

void makeLoadsOrdinary(llvm::Function& function) {
  for (llvm::Argument& argument : function.args())
    if (isReadOnly(&argument))
      argument.removeAttr(llvm::Attribute::ReadOnly);
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (isReadOnlyLoad(instruction))
      instruction.setMetadata(llvm::LLVMContext::MD_invariant_load, nullptr);
}

void waitFirst(llvm::Function& kernel) {
  llvm::BasicBlock& entry = kernel.getEntryBlock();
  llvm::IRBuilder<>(&entry, entry.getFirstNonPHIOrDbgOrAlloca())
      .CreateIntrinsic(llvm::Intrinsic::nvvm_griddepcontrol_wait, {});
  kernel.addFnAttr(names::startsEarlyAttribute);
}

} // namespace

DependentLaunchPass::DependentLaunchPass(const PassSettings& settings)
    : canWait_(computeCapability(settings.machine) >= abi::nvptxDependentLaunchCapability) {}

llvm::PreservedAnalyses DependentLaunchPass::run(llvm::Module& module,
                                                 llvm::ModuleAnalysisManager&) {
  if (!canWait_)
    return llvm::PreservedAnalyses::all();
  for (llvm::Function& function : module) {
    if (function.isDeclaration())
      continue;
    const bool isEarly =
        isNvptxKernel(function) && !readsAfterWriting(function) && !readsTextures(function);
    if (isEarly || !isNvptxKernel(function)) // any kernel may call it
      makeLoadsOrdinary(function);
    if (isEarly)
      waitFirst(function);
  }
  return preservedWithCfg(true);
}

} // namespace quern::compiler
