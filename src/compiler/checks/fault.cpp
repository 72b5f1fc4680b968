#include "compiler/checks/fault.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/checks/names.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

llvm::Value* as64Bits(llvm::IRBuilder<>& builder, llvm::Value* value) {
  if (!value)
    return builder.getInt64(0);
  return builder.CreateSExtOrTrunc(value, builder.getInt64Ty());
}

} // namespace

void tellDevice(llvm::IRBuilder<>& builder, llvm::StringRef function, abi::CheckSite site,
                const llvm::Instruction& instruction, llvm::ArrayRef<llvm::Value*> values) {
  constexpr unsigned valueCount = 3;
  if (const llvm::DebugLoc& place = instruction.getDebugLoc()) {
    site.line = place.getLine();
    site.column = place.getCol();
    site.file = place->getFilename().str();
  }
  llvm::SmallVector<llvm::Type*> types = {builder.getPtrTy()};
  types.append(valueCount, builder.getInt64Ty());
  const llvm::FunctionCallee callee = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
      function, llvm::FunctionType::get(builder.getVoidTy(), types, false));
  llvm::SmallVector<llvm::Value*> arguments = {
      builder.CreateGlobalString(abi::encode(site), "quern.check.site")};
  for (unsigned i = 0; i < valueCount; ++i)
    arguments.push_back(as64Bits(builder, i < values.size() ? values[i] : nullptr));
  builder.CreateCall(callee, arguments)->setDebugLoc(instruction.getDebugLoc());
}

void reportFault(llvm::IRBuilder<>& builder, abi::CheckSite site,
                 const llvm::Instruction& instruction, llvm::Value* first, llvm::Value* second) {
  tellDevice(builder, names::checkFault, std::move(site), instruction, {first, second});
}

llvm::Instruction& branchBefore(llvm::Instruction& instruction, llvm::Value* isFaulty) {
  llvm::Instruction* end = llvm::SplitBlockAndInsertIfThen(
      isFaulty, instruction.getIterator(), /*Unreachable=*/false,
      llvm::MDBuilder(instruction.getContext()).createUnlikelyBranchWeights());
  markAsOfChecks(end->getParent()->getSinglePredecessor()->getTerminator());
  return *end;
}

void markAsOfChecks(llvm::Value* added) {
  if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(added))
    instruction->setNoSanitizeMetadata();
}

bool isOfChecks(const llvm::Instruction& instruction) {
  return instruction.hasMetadata(llvm::LLVMContext::MD_nosanitize);
}

llvm::Value* addressOf(llvm::IRBuilder<>& builder, llvm::Value* pointer) {
  llvm::Value* address = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
  markAsOfChecks(address);
  return address;
}

} // namespace quern::compiler
