#include "compiler/target/nvptx/kernels.h"

#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "abi/nvptx_kernel.h"
#include "compiler/il/argument_layout.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/target/nvptx/capability.h"
#include "compiler/target/nvptx/printf.h"
#include "compiler/target/nvptx/remap_address_spaces.h"
#include "compiler/target/nvptx/work_items.h"

namespace quern::compiler {
namespace {

/// Of the dynamic memory of a work-group: no type of OpenCL C needs more.
constexpr uint64_t dynamicAlignment = 128;

/// The driver's compiler aligns parameters in memory that is itself aligned to no more, so that
/// larger alignments would move them to other offsets.
bool isWide(const llvm::Function& kernel, llvm::Type* type) {
  return kernel.getDataLayout().getABITypeAlign(type).value() > maxNvptxArgumentAlignment;
}

bool isLocalPointer(const llvm::Type* type) {
  return type->isPointerTy() && type->getPointerAddressSpace() == nvptx_space::shared;
}

/// Neighbouring elements of a local array can then be read together.
void alignForVectors(llvm::GlobalVariable& variable) {
  constexpr uint64_t widestAccess = 16;
  const llvm::DataLayout& layout = variable.getDataLayout();
  if (layout.getTypeAllocSize(variable.getValueType()) >= widestAccess)
    variable.setAlignment(std::max(variable.getAlign().valueOrOne(), llvm::Align(widestAccess)));
}

/// "4,2,1" for the attribute that bounds the size of work-groups.
std::string sizesText(const std::array<uint64_t, 3>& sizes) {
  return std::to_string(sizes[0]) + "," + std::to_string(sizes[1]) + "," + std::to_string(sizes[2]);
}

/// Makes the parameter a pointer to `type` in the list of parameters, as bytes: the back end knows
/// no smaller alignment than the type's.
void passByValue(llvm::Argument& argument, llvm::Type* type) {
  llvm::Function& kernel = *argument.getParent();
  const unsigned index = argument.getArgNo();
  kernel.removeParamAttrs(
      index, llvm::AttributeFuncs::typeIncompatible(argument.getType(),
                                                    kernel.getAttributes().getParamAttrs(index)));
  auto* bytes = llvm::ArrayType::get(llvm::Type::getInt8Ty(kernel.getContext()),
                                     kernel.getDataLayout().getTypeAllocSize(type));
  argument.removeAttr(llvm::Attribute::ByVal);
  argument.addAttr(llvm::Attribute::getWithByValType(kernel.getContext(), bytes));
  argument.removeAttr(llvm::Attribute::Alignment);
  argument.addAttr(llvm::Attribute::getWithAlignment(kernel.getContext(),
                                                     llvm::Align(maxNvptxArgumentAlignment)));
}

void addLaunchParameter(llvm::Function& kernel) {
  llvm::LLVMContext& context = kernel.getContext();
  const unsigned index = kernel.arg_size() - 1;
  auto* type = llvm::ArrayType::get(llvm::Type::getInt64Ty(context),
                                    sizeof(abi::NvptxLaunch) / sizeof(uint64_t));
  kernel.addParamAttr(index, llvm::Attribute::getWithByValType(context, type));
  kernel.addParamAttr(
      index, llvm::Attribute::getWithAlignment(context, llvm::Align(alignof(abi::NvptxLaunch))));
  kernel.addParamAttr(index, llvm::Attribute::ReadOnly);
  kernel.addParamAttr(index, llvm::Attribute::NoAlias);
  kernel.getArg(index)->setName("launch");
}

llvm::Function& rebuild(llvm::Function& old) {
  llvm::LLVMContext& context = old.getContext();
  llvm::SmallVector<llvm::Type*> types;
  for (llvm::Argument& argument : old.args()) {
    llvm::Type* type = argument.getType();
    types.push_back(isLocalPointer(type) ? llvm::Type::getInt64Ty(context)
                    : isWide(old, type)  ? llvm::PointerType::get(context, nvptx_space::generic)
                                         : type);
  }
  types.push_back(llvm::PointerType::get(context, nvptx_space::generic));
  llvm::Function& kernel = *llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false), old.getLinkage(), "");
  old.getParent()->getFunctionList().insert(old.getIterator(), &kernel);
  kernel.copyAttributesFrom(&old);
  kernel.copyMetadata(&old, 0);
  kernel.takeName(&old);
  kernel.setCallingConv(llvm::CallingConv::PTX_Kernel);
  kernel.splice(kernel.begin(), &old);
  llvm::IRBuilder<> builder(&kernel.getEntryBlock(), kernel.getEntryBlock().getFirstInsertionPt());
  for (unsigned i = 0; i < old.arg_size(); ++i) {
    llvm::Argument* argument = kernel.getArg(i);
    argument->takeName(old.getArg(i));
    llvm::Value* value = argument;
    if (isLocalPointer(old.getArg(i)->getType())) {
      kernel.removeParamAttrs(i, llvm::AttributeFuncs::typeIncompatible(
                                     argument->getType(), kernel.getAttributes().getParamAttrs(i)));
      value = builder.CreateInBoundsGEP(builder.getInt8Ty(), &dynamicMemory(*kernel.getParent()),
                                        argument, argument->getName() + ".local");
    }
    if (llvm::Type* type = old.getArg(i)->getType(); isWide(old, type)) {
      passByValue(*argument, type);
      value = builder.CreateAlignedLoad(type, argument, llvm::Align(maxNvptxArgumentAlignment));
    } else if (argument->hasByValAttr() &&
               argument->getParamAlign().valueOrOne() > llvm::Align(maxNvptxArgumentAlignment)) {
      passByValue(*argument, argument->getParamByValType());
    }
    old.getArg(i)->replaceAllUsesWith(value);
  }
  addLaunchParameter(kernel);
  if (const auto required = requiredWorkGroupSize(kernel); required[0] != 0)
    kernel.addFnAttr(hasUniformGroups(kernel) ? "nvvm.reqntid" : "nvvm.maxntid",
                     sizesText(required));
  old.setSubprogram(nullptr);
  old.eraseFromParent();
  return kernel;
}

} // namespace

llvm::GlobalVariable& dynamicMemory(llvm::Module& module) {
  if (llvm::GlobalVariable* known = module.getGlobalVariable(names::dynamicLocalMemory))
    return *known;
  auto* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), 0);
  auto* memory = new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::ExternalLinkage,
                                          nullptr, names::dynamicLocalMemory, nullptr,
                                          llvm::GlobalValue::NotThreadLocal, nvptx_space::shared);
  memory->setAlignment(llvm::Align(dynamicAlignment));
  return *memory;
}

bool isNvptxKernel(const llvm::Function& function) {
  return function.getCallingConv() == llvm::CallingConv::PTX_Kernel;
}

llvm::Argument& launchParameter(llvm::Function& kernel) {
  return *kernel.getArg(kernel.arg_size() - 1);
}

NvptxKernelsPass::NvptxKernelsPass(const PassSettings& settings)
    : capability_(computeCapability(settings.machine)) {}

llvm::PreservedAnalyses NvptxKernelsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::GlobalVariable& variable : module.globals())
    if (isLocalPointer(variable.getType()) && !variable.isDeclaration())
      alignForVectors(variable);
  for (llvm::Function* old : kernelFunctions(module))
    lowerNvptxWorkItemFunctions(rebuild(*old), capability_);
  for (llvm::Function& function : module)
    lowerNvptxPrintf(function);
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
