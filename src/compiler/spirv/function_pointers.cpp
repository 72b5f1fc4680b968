#include "compiler/spirv/function_pointers.h"

#include <llvm/IR/IRBuilder.h>

#include "base/hash.h"
#include "compiler/spirv/module_reader.h"

namespace quern::compiler::spirv {

/// Other than those of modules that this one may be linked with, and never null.
uint64_t FunctionPointers::numberOf(uint32_t function) const {
  const uint64_t hash = contentHash(std::as_bytes(source_.words()));
  return (hash << 32 | function) | uint64_t{1} << 63;
}

llvm::Constant* FunctionPointers::addressOf(uint32_t function, const Type& pointer) {
  functions_.insert(function);
  llvm::Type* number = llvm::Type::getInt64Ty(pointer.llvm->getContext());
  return llvm::ConstantExpr::getIntToPtr(llvm::ConstantInt::get(number, numberOf(function)),
                                         pointer.llvm);
}

llvm::Function& FunctionPointers::callerOf(const Type& type, llvm::Module& module) {
  llvm::FunctionType* called = functionTypeOf(type);
  llvm::Function*& caller = callers_[called];
  if (caller)
    return *caller;
  llvm::SmallVector<llvm::Type*> parameters = {
      llvm::PointerType::get(module.getContext(), addressSpaceOf(Storage::CodeSectionINTEL))};
  parameters.append(called->param_begin(), called->param_end());
  caller =
      llvm::Function::Create(llvm::FunctionType::get(called->getReturnType(), parameters, false),
                             llvm::GlobalValue::InternalLinkage, "pointer.call", module);
  caller->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  caller->addFnAttr(llvm::Attribute::Convergent);
  caller->addFnAttr(llvm::Attribute::NoUnwind);
  return *caller;
}

void FunctionPointers::defineCallers(const ModuleReader& reader) const {
  for (const auto& [type, caller] : callers_) {
    llvm::LLVMContext& context = caller->getContext();
    llvm::SmallVector<llvm::Value*> arguments;
    for (llvm::Argument& argument : llvm::drop_begin(caller->args()))
      arguments.push_back(&argument);
    auto* entry = llvm::BasicBlock::Create(context, "", caller);
    auto* none = llvm::BasicBlock::Create(context, "none", caller);
    llvm::Type* result = type->getReturnType();
    const auto finish = [result](llvm::IRBuilder<>& builder, llvm::Value* value) {
      result->isVoidTy() ? builder.CreateRetVoid() : builder.CreateRet(value);
    };
    llvm::IRBuilder<> noneBuilder(none);
    finish(noneBuilder, result->isVoidTy() ? nullptr : llvm::Constant::getNullValue(result));
    llvm::IRBuilder<> builder(entry);
    llvm::SwitchInst* choice =
        builder.CreateSwitch(builder.CreatePtrToInt(caller->getArg(0), builder.getInt64Ty()), none);
    for (const uint32_t id : functions_) {
      llvm::Function* function = reader.function(id).function;
      if (function->getFunctionType() != type)
        continue;
      auto* block = llvm::BasicBlock::Create(context, "", caller);
      choice->addCase(builder.getInt64(numberOf(id)), block);
      llvm::IRBuilder<> own(block);
      llvm::CallInst* call = own.CreateCall(function, arguments);
      call->setCallingConv(function->getCallingConv());
      call->setAttributes(function->getAttributes());
      finish(own, call);
    }
  }
}

} // namespace quern::compiler::spirv
