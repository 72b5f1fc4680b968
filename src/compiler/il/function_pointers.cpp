#include "compiler/il/function_pointers.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Metadata.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace quern::compiler {
namespace {

constexpr llvm::StringRef listName = "quern.addressed.functions";
constexpr llvm::StringRef callerAttribute = "quern-pointer-caller";

/// What a caller calls has its parameters but for the pointer.
bool calls(const llvm::Function& caller, const llvm::Function& target) {
  const llvm::FunctionType& type = *caller.getFunctionType();
  return type.getReturnType() == target.getReturnType() &&
         type.params().drop_front() == target.getFunctionType()->params();
}

} // namespace

void addAddressedFunction(const AddressedFunction& addressed) {
  llvm::LLVMContext& context = addressed.function->getContext();
  llvm::Module& module = *addressed.function->getParent();
  llvm::Constant* number =
      llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), addressed.number);
  module.getOrInsertNamedMetadata(listName)->addOperand(
      llvm::MDNode::get(context, {llvm::ConstantAsMetadata::get(addressed.function),
                                  llvm::ConstantAsMetadata::get(number)}));
  // Or a linker would leave it behind.
  llvm::appendToCompilerUsed(module, {addressed.function});
}

void dropAddressedFunctions(llvm::Module& module) {
  if (llvm::NamedMDNode* list = module.getNamedMetadata(listName))
    module.eraseNamedMetadata(list);
  if (llvm::GlobalVariable* list = module.getGlobalVariable("llvm.compiler.used"))
    list->eraseFromParent();
}

std::vector<AddressedFunction> addressedFunctions(const llvm::Module& module) {
  std::vector<AddressedFunction> all;
  if (const llvm::NamedMDNode* list = module.getNamedMetadata(listName))
    for (const llvm::MDNode* entry : list->operands())
      all.push_back(
          {llvm::mdconst::extract<llvm::Function>(entry->getOperand(0)),
           llvm::mdconst::extract<llvm::ConstantInt>(entry->getOperand(1))->getZExtValue()});
  return all;
}

void definePointerCaller(llvm::Function& caller) {
  llvm::LLVMContext& context = caller.getContext();
  caller.addFnAttr(callerAttribute);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", &caller));
  auto* none = llvm::BasicBlock::Create(context, "none", &caller);
  builder.CreateSwitch(builder.CreatePtrToInt(caller.getArg(0), builder.getInt64Ty()), none);
  builder.SetInsertPoint(none);
  llvm::Type* result = caller.getReturnType();
  result->isVoidTy() ? builder.CreateRetVoid()
                     : builder.CreateRet(llvm::Constant::getNullValue(result));
}

bool isPointerCaller(const llvm::Function& function) {
  return function.hasFnAttribute(callerAttribute) && !function.isDeclaration();
}

void addTarget(llvm::Function& caller, const AddressedFunction& target) {
  auto* choice = llvm::cast<llvm::SwitchInst>(caller.getEntryBlock().getTerminator());
  llvm::LLVMContext& context = caller.getContext();
  auto* number = llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), target.number);
  if (!calls(caller, *target.function) || choice->findCaseValue(number) != choice->case_default())
    return;
  auto* block = llvm::BasicBlock::Create(context, "", &caller);
  choice->addCase(number, block);
  llvm::IRBuilder<> builder(block);
  llvm::SmallVector<llvm::Value*> arguments;
  for (llvm::Argument& argument : llvm::drop_begin(caller.args()))
    arguments.push_back(&argument);
  llvm::CallInst* call = builder.CreateCall(target.function, arguments);
  call->setCallingConv(target.function->getCallingConv());
  call->setAttributes(target.function->getAttributes());
  call->getType()->isVoidTy() ? builder.CreateRetVoid() : builder.CreateRet(call);
}

} // namespace quern::compiler
