#include "compiler/work_items/work_item_bodies.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/work_item_functions.h"
#include "compiler/work_items/work_item_lowering.h"

namespace quern::compiler {
namespace {

/// A struct argument is private memory of each work-item, which may change it: the parameter
/// becomes a pointer to the argument block, and the kernel works on a copy.
void copyByValueArgument(llvm::Argument& parameter, llvm::Type* type, llvm::MaybeAlign align,
                         llvm::IRBuilder<>& builder) {
  const llvm::DataLayout& layout = parameter.getParent()->getDataLayout();
  const llvm::Align alignment = align.value_or(layout.getABITypeAlign(type));
  const uint64_t bytes = layout.getTypeAllocSize(type);
  llvm::AllocaInst* copy = builder.CreateAlloca(type, nullptr, parameter.getName() + ".copy");
  copy->setAlignment(alignment);
  parameter.replaceAllUsesWith(copy);
  builder.CreateMemCpy(copy, alignment, &parameter, alignment, bytes);
}

llvm::Function* makeWorkItemBody(llvm::Function& kernel) {
  llvm::LLVMContext& context = kernel.getContext();
  std::vector<llvm::Type*> types;
  for (llvm::Argument& argument : kernel.args())
    types.push_back(argument.getType());
  const unsigned ownCount = types.size();
  for (llvm::Type* type : implicitArgumentTypes(context))
    types.push_back(type);

  llvm::Function* item =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false),
                             llvm::GlobalValue::ExternalLinkage, kernel.getName() + ".item");
  kernel.getParent()->getFunctionList().insert(kernel.getIterator(), item);
  item->copyAttributesFrom(&kernel);
  item->copyMetadata(&kernel, 0);
  setNumberAttribute(*item, names::argumentsAttribute, ownCount);
  item->splice(item->begin(), &kernel);
  nameImplicitArguments(*item, ownCount);

  llvm::IRBuilder<> builder(context);
  builder.SetInsertPoint(&item->getEntryBlock(), item->getEntryBlock().getFirstInsertionPt());
  for (unsigned i = 0; i < ownCount; ++i) {
    llvm::Argument* parameter = item->getArg(i);
    parameter->takeName(kernel.getArg(i));
    kernel.getArg(i)->replaceAllUsesWith(parameter);
    if (llvm::Type* type = item->getParamByValType(i)) {
      const llvm::MaybeAlign align = item->getParamAlign(i);
      const uint64_t bytes = item->getDataLayout().getTypeAllocSize(type);
      item->removeParamAttr(i, llvm::Attribute::ByVal);
      item->addParamAttr(i, llvm::Attribute::NoAlias);
      item->addParamAttr(i, llvm::Attribute::ReadOnly);
      item->addDereferenceableParamAttr(i, bytes);
      copyByValueArgument(*parameter, type, align, builder);
    }
  }
  kernel.setSubprogram(nullptr);
  kernel.eraseFromParent();
  return item;
}

} // namespace

llvm::PreservedAnalyses WorkItemBodiesPass::run(llvm::Module& module,
                                                llvm::ModuleAnalysisManager&) {
  for (llvm::Function* kernel : kernelFunctions(module))
    lowerWorkItemFunctions(*makeWorkItemBody(*kernel));
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
