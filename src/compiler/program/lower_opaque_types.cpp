#include "compiler/program/lower_opaque_types.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "abi/cpu_image.h"
#include "abi/nvptx_image.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/opaque_types.h"

namespace quern::compiler {
namespace {

/// Opaque types may be elements of arrays and members of the structs that Clang makes for blocks.
class TypeMap final : public llvm::ValueMapTypeRemapper {
public:
  llvm::Type* remapType(llvm::Type* type) override {
    if (llvm::Type* lowered = loweredOpaqueType(type))
      return lowered;
    if (auto* function = llvm::dyn_cast<llvm::FunctionType>(type))
      return llvm::FunctionType::get(remapType(function->getReturnType()),
                                     remapTypes(function->params()), function->isVarArg());
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
      return llvm::ArrayType::get(remapType(array->getElementType()), array->getNumElements());
    if (auto* record = llvm::dyn_cast<llvm::StructType>(type); record && record->isLiteral())
      return llvm::StructType::get(record->getContext(), remapTypes(record->elements()),
                                   record->isPacked());
    return type;
  }

private:
  llvm::SmallVector<llvm::Type*> remapTypes(llvm::ArrayRef<llvm::Type*> types) {
    llvm::SmallVector<llvm::Type*> remapped;
    for (llvm::Type* type : types)
      remapped.push_back(remapType(type));
    return remapped;
  }
};

uint64_t descriptionBytes(const llvm::Module& module) {
  return module.getTargetTriple().isNVPTX() ? sizeof(abi::NvptxImage) : sizeof(abi::CpuImage);
}

/// The description is constant, and no store of the kernel changes it: what is read of it need not
/// be read again.
void describeImageParameters(llvm::Function& kernel, const llvm::Function& old) {
  llvm::LLVMContext& context = kernel.getContext();
  for (unsigned i = 0; i < old.arg_size(); ++i) {
    if (!isImageType(old.getArg(i)->getType()))
      continue;
    for (const llvm::Attribute::AttrKind kind :
         {llvm::Attribute::NoAlias, llvm::Attribute::ReadOnly, llvm::Attribute::NoUndef})
      kernel.addParamAttr(i, kind);
    kernel.addParamAttr(
        i, llvm::Attribute::getWithAlignment(context, llvm::Align(alignof(abi::CpuImage))));
    kernel.addDereferenceableParamAttr(i, descriptionBytes(*kernel.getParent()));
  }
}

/// A function of the lowered type with the body of `old`, which is left without one.
llvm::Function& replace(llvm::Function& old, llvm::FunctionType* type,
                        llvm::ValueToValueMapTy& values) {
  const bool isKernel = isClangKernel(old);
  llvm::Function* function =
      llvm::Function::Create(type, old.getLinkage(), old.getAddressSpace(), "");
  old.getParent()->getFunctionList().insert(old.getIterator(), function);
  function->copyAttributesFrom(&old);
  function->copyMetadata(&old, 0);
  function->setComdat(old.getComdat());
  function->takeName(&old);
  function->splice(function->begin(), &old);
  for (unsigned i = 0; i < old.arg_size(); ++i) {
    function->getArg(i)->takeName(old.getArg(i));
    values[old.getArg(i)] = function->getArg(i);
  }
  if (isKernel)
    describeImageParameters(*function, old);
  if (!function->hasFnAttribute(names::programAttribute))
    function->addFnAttr(names::imageFunctionAttribute);
  old.setSubprogram(nullptr);
  values[&old] = function;
  return *function;
}

/// Variables of the program of opaque types have no initial value but zeros.
bool replaceVariables(llvm::Module& module, TypeMap& types) {
  llvm::SmallVector<llvm::GlobalVariable*> replaced;
  for (llvm::GlobalVariable& variable : module.globals())
    if (types.remapType(variable.getValueType()) != variable.getValueType())
      replaced.push_back(&variable);
  for (llvm::GlobalVariable* variable : replaced) {
    llvm::Type* type = types.remapType(variable->getValueType());
    llvm::Constant* initial = nullptr;
    if (variable->hasInitializer())
      initial = llvm::isa<llvm::UndefValue>(variable->getInitializer())
                    ? static_cast<llvm::Constant*>(llvm::UndefValue::get(type))
                    : llvm::Constant::getNullValue(type);
    auto* lowered = new llvm::GlobalVariable(
        module, type, variable->isConstant(), variable->getLinkage(), initial, "", variable,
        variable->getThreadLocalMode(), variable->getAddressSpace());
    lowered->copyAttributesFrom(variable);
    lowered->takeName(variable);
    variable->replaceAllUsesWith(lowered);
    variable->eraseFromParent();
  }
  return !replaced.empty();
}

bool replaceTypes(llvm::Module& module) {
  TypeMap types;
  llvm::ValueToValueMapTy values;
  llvm::SmallVector<llvm::Function*> replaced;
  const bool hasVariables = replaceVariables(module, types);
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    auto* type = llvm::cast<llvm::FunctionType>(types.remapType(function.getFunctionType()));
    if (type == function.getFunctionType())
      continue;
    replace(function, type, values);
    replaced.push_back(&function);
  }
  // Values of opaque types come from variables, parameters and functions that return them: without
  // those there are none.
  if (replaced.empty() && !hasVariables)
    return false;
  for (llvm::Function& function : module)
    if (!function.isDeclaration())
      llvm::RemapFunction(function, values,
                          llvm::RF_IgnoreMissingLocals | llvm::RF_NoModuleLevelChanges, &types);
  for (llvm::Function* function : replaced) {
    function->replaceAllUsesWith(values[function]);
    function->eraseFromParent();
  }
  return true;
}

bool onlyPassesOn(llvm::StringRef name) {
  return name.starts_with(names::imageAddressPrefix) || name.starts_with(names::pipePrefix) ||
         name == names::samplerBits || name == names::samplerInitializer ||
         name == names::reserveId || name == names::reserveIdBits || name == names::queue ||
         name == names::queueBits || name == names::event || name == names::eventBits;
}

/// Replaces the calls of a function whose result is its argument, widened where that is narrower.
void replaceCalls(llvm::Function& function) {
  for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    llvm::Value* value = call->getArgOperand(0);
    if (value->getType() != call->getType())
      value = llvm::IRBuilder<>(call).CreateZExt(value, call->getType());
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
}

} // namespace

llvm::PreservedAnalyses LowerOpaqueTypesPass::run(llvm::Module& module,
                                                  llvm::ModuleAnalysisManager&) {
  if (!replaceTypes(module))
    return llvm::PreservedAnalyses::all();
  for (llvm::Function& function : llvm::make_early_inc_range(module))
    if (function.isDeclaration() && onlyPassesOn(function.getName())) {
      replaceCalls(function);
      function.eraseFromParent();
    }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
