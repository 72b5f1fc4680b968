#include "compiler/il/packet_condition.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/il/names.h"

namespace quern::compiler {

static bool isCallOf(const llvm::Value& value, llvm::StringRef name) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
}

void addPacketGuard(llvm::IRBuilderBase& builder, llvm::Value* holds) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  builder.CreateCall(
      module.getOrInsertFunction(names::packetGuard, builder.getVoidTy(), builder.getInt1Ty()),
      {holds});
}

llvm::BasicBlock* guardBranch(llvm::IRBuilderBase& builder, llvm::BranchInst& branch, bool wanted,
                              llvm::Value* holds) {
  addPacketGuard(builder, holds);
  llvm::BasicBlock* next = branch.getSuccessor(wanted ? 0 : 1);
  branch.getSuccessor(wanted ? 1 : 0)->removePredecessor(branch.getParent());
  auto* straight = llvm::BranchInst::Create(next, branch.getIterator());
  if (builder.GetInsertPoint() == branch.getIterator())
    builder.SetInsertPoint(straight);
  branch.eraseFromParent();
  return next;
}

bool isPacketGuard(const llvm::Instruction& instruction) {
  return isCallOf(instruction, names::packetGuard);
}

llvm::Value* addPacketAll(llvm::IRBuilderBase& builder, llvm::Value* condition) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  llvm::FunctionCallee all =
      module.getOrInsertFunction(names::packetAll, builder.getInt1Ty(), builder.getInt1Ty());
  llvm::cast<llvm::Function>(all.getCallee())->setDoesNotAccessMemory();
  return builder.CreateCall(all, {condition});
}

bool isPacketAll(const llvm::Value& value) {
  return isCallOf(value, names::packetAll);
}

} // namespace quern::compiler
