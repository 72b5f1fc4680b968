#include "compiler/spirv/function_pointers.h"

#include "base/hash.h"
#include "compiler/il/function_pointers.h"
#include "compiler/spirv/failure.h"
#include "compiler/spirv/module_reader.h"

namespace quern::compiler::spirv {

/// Other than those of modules that this one may be linked with, and never null.
uint64_t FunctionPointers::numberOf(uint32_t function) const {
  const uint64_t hash = contentHash(std::as_bytes(source_.words()));
  return (hash << 32 | function) | uint64_t{1} << 63;
}

llvm::Constant* FunctionPointers::addressOf(const quern::spirv::Instruction& instruction,
                                            const Type& pointer) {
  const uint32_t function = instruction.operands[0];
  functions_.emplace(function, &instruction);
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
  std::vector<AddressedFunction> addressed;
  for (const auto& [id, instruction] : functions_)
    try {
      addressed.push_back({reader.function(id).function, numberOf(id)});
    } catch (const RuleBroken& broken) {
      ModuleReader::fail(*instruction, broken.rule);
    }
  for (const AddressedFunction& function : addressed)
    addAddressedFunction(function);
  for (const auto& [type, caller] : callers_) {
    definePointerCaller(*caller);
    for (const AddressedFunction& function : addressed)
      addTarget(*caller, function);
  }
}

} // namespace quern::compiler::spirv
