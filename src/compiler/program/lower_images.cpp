#include "compiler/program/lower_images.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "abi/cpu_image.h"
#include "abi/nvptx_image.h"
#include "compiler/il/image_types.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

/// Images and samplers are never part of other types but those of functions.
class TypeMap final : public llvm::ValueMapTypeRemapper {
public:
  llvm::Type* remapType(llvm::Type* type) override {
    if (isImageType(type))
      return loweredImageType(type->getContext());
    if (isSamplerType(type))
      return loweredSamplerType(type->getContext());
    if (auto* function = llvm::dyn_cast<llvm::FunctionType>(type))
      return remapFunction(function);
    return type;
  }

private:
  llvm::FunctionType* remapFunction(llvm::FunctionType* type) {
    llvm::SmallVector<llvm::Type*> parameters;
    for (llvm::Type* parameter : type->params())
      parameters.push_back(remapType(parameter));
    return llvm::FunctionType::get(remapType(type->getReturnType()), parameters, type->isVarArg());
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

bool replaceTypes(llvm::Module& module) {
  TypeMap types;
  llvm::ValueToValueMapTy values;
  llvm::SmallVector<llvm::Function*> replaced;
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    auto* type = llvm::cast<llvm::FunctionType>(types.remapType(function.getFunctionType()));
    if (type == function.getFunctionType())
      continue;
    replace(function, type, values);
    replaced.push_back(&function);
  }
  // Images and samplers come from parameters and from functions that return them: without those
  // there are none.
  if (replaced.empty())
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
  return name.starts_with(names::imageAddressPrefix) || name == names::samplerBits ||
         name == names::samplerInitializer;
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

llvm::PreservedAnalyses LowerImagesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
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
