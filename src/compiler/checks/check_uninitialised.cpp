#include "compiler/checks/check_uninitialised.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "compiler/checks/accesses.h"
#include "compiler/checks/fault.h"
#include "compiler/checks/shadow_values.h"
#include "compiler/il/address_space.h"
#include "compiler/il/kernel_function.h"

namespace quern::compiler {
namespace {

using abi::Fault;

/// A value that must have been written, and where it is used. Of an atomic operation that is both
/// the value is what it finds.
struct Use {
  llvm::Instruction* instruction;
  llvm::Value* value;
  Fault fault;
};

bool isSeenByHost(const llvm::StoreInst& store) {
  return store.getPointerAddressSpace() == address_space::global;
}

void addUses(llvm::Instruction& instruction, llvm::SmallVectorImpl<Use>& uses) {
  if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
    if (branch->isConditional() && !isOfChecks(*branch))
      uses.push_back({branch, branch->getCondition(), Fault::UninitialisedBranch});
  } else if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) {
    uses.push_back({choice, choice->getCondition(), Fault::UninitialisedBranch});
  }
  if (llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction))
    uses.push_back({&instruction, pointer, Fault::UninitialisedAddress});
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && isSeenByHost(*store))
    uses.push_back({store, store->getValueOperand(), Fault::UninitialisedStore});
  // What it changes must be there.
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
    uses.push_back({&instruction, &instruction, Fault::UninitialisedStore});
}

void checkReads(llvm::Function& body) {
  gatherVariables(body);
  llvm::SmallVector<llvm::Instruction*> instructions;
  llvm::SmallVector<Use> uses;
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&body))
    for (llvm::Instruction& instruction : *block) {
      instructions.push_back(&instruction);
      addUses(instruction, uses);
    }
  const ShadowMemory memory(body);
  SharedShadows shared(body);
  ShadowValues values(memory, shared);
  for (llvm::Instruction* instruction : instructions)
    values.add(*instruction);
  values.complete();
  for (const Use& use : uses) {
    llvm::IRBuilder<> builder(use.instruction);
    llvm::Value* isUnwritten = use.value == use.instruction ? values.anyBefore(*use.instruction)
                                                            : values.anyOf(builder, use.value);
    if (!isUnwritten)
      continue;
    llvm::IRBuilder<> report(&branchBefore(*use.instruction, isUnwritten));
    reportFault(report, {.fault = use.fault}, *use.instruction);
  }
}

} // namespace

llvm::PreservedAnalyses CheckUninitialisedPass::run(llvm::Module& module,
                                                    llvm::ModuleAnalysisManager&) {
  for (llvm::Function* body : kernelFunctions(module))
    checkReads(*body);
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
