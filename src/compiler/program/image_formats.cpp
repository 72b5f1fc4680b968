#include "compiler/program/image_formats.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "abi/cpu_image.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

bool accessesElement(const llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee && !callee->isDeclaration() &&
         (callee->getName().starts_with(names::fetchPrefix) ||
          callee->getName().starts_with(names::storePrefix));
}

/// Compiles the accesses to elements of `image` into the function that it is an argument of.
void inlineAccesses(llvm::Argument& image) {
  llvm::SmallVector<llvm::CallInst*> calls;
  for (llvm::User* user : image.users())
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user);
        call && accessesElement(*call) && call->getArgOperand(0) == &image)
      calls.push_back(call);
  for (llvm::CallInst* call : calls) {
    llvm::InlineFunctionInfo info;
    llvm::InlineFunction(*call, info);
  }
}

/// Puts constants in the place of the fields that are loaded from the description of `image`.
void replaceFields(llvm::Argument& image, int64_t format) {
  const llvm::DataLayout& layout = image.getParent()->getDataLayout();
  for (llvm::Instruction& instruction :
       llvm::make_early_inc_range(llvm::instructions(*image.getParent()))) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || !load->getType()->isIntegerTy(32))
      continue;
    llvm::APInt offset(layout.getIndexTypeSizeInBits(image.getType()), 0);
    if (load->getPointerOperand()->stripAndAccumulateConstantOffsets(
            layout, offset, /*AllowNonInbounds=*/true) != &image)
      continue;
    for (const abi::FormatField& field : abi::fieldsOf(format))
      if (offset == field.offset)
        load->replaceAllUsesWith(llvm::ConstantInt::get(load->getType(), field.value));
    if (load->use_empty())
      load->eraseFromParent();
  }
}

} // namespace

llvm::PreservedAnalyses ImageFormatsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function* item : kernelFunctions(module))
    for (const abi::KnownArgument& object : facts_.objects)
      if (object.argument < kernelArgumentCount(*item))
        if (llvm::Argument* argument = item->getArg(object.argument);
            argument->getType()->isPointerTy()) {
          inlineAccesses(*argument);
          replaceFields(*argument, object.value);
        }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
