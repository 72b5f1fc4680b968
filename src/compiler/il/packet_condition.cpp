#include "compiler/il/packet_condition.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/il/names.h"

namespace quern::compiler {

static bool isCallOf(const llvm::Value& value, llvm::StringRef name) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
}

void addPacketGuard(llvm::IRBuilderBase& builder, llvm::Value* condition) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  builder.CreateCall(
      module.getOrInsertFunction(names::packetGuard, builder.getVoidTy(), builder.getInt1Ty()),
      {condition});
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
