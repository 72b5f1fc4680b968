#include "compiler/program/prepare_kernels.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "abi/sub_group_sizes.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/required_sub_group_size.h"

namespace quern::compiler {
namespace {

/// The call of `kernel` to its body.
llvm::CallInst* callOfBody(llvm::Function& kernel, const llvm::Function& body) {
  for (llvm::Instruction& instruction : llvm::instructions(kernel))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        call && call->getCalledFunction() == &body)
      return call;
  return nullptr;
}

/// Moves the body of `from`, whose only caller is `kernel`, into `kernel`, whose parameters are the
/// same.
void moveBody(llvm::Function& kernel, llvm::Function& from) {
  kernel.deleteBody();
  kernel.setLinkage(llvm::GlobalValue::ExternalLinkage);
  kernel.splice(kernel.begin(), &from);
  for (unsigned i = 0; i < kernel.arg_size(); ++i) {
    kernel.getArg(i)->takeName(from.getArg(i));
    from.getArg(i)->replaceAllUsesWith(kernel.getArg(i));
  }
  kernel.setSubprogram(from.getSubprogram());
  from.setSubprogram(nullptr);
  from.eraseFromParent();
}

void collapse(llvm::Function& kernel) {
  llvm::Function* body =
      kernel.getParent()->getFunction((names::clangKernelBody + kernel.getName()).str());
  if (!body || body->isDeclaration())
    return;
  llvm::CallInst* call = callOfBody(kernel, *body);
  if (!call)
    return;
  if (body->hasOneUse()) {
    // deleteBody drops metadata, which describes the kernel to later steps.
    llvm::SmallVector<std::pair<unsigned, llvm::MDNode*>> metadata;
    kernel.getAllMetadata(metadata);
    moveBody(kernel, *body);
    for (auto [kind, node] : metadata)
      if (kind != llvm::LLVMContext::MD_dbg)
        kernel.setMetadata(kind, node);
    return;
  }
  llvm::InlineFunctionInfo info;
  llvm::InlineFunction(*call, info);
}

void useDefaultConvention(llvm::Function& function) {
  function.setCallingConv(llvm::CallingConv::C);
  for (llvm::User* user : function.users())
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(user))
      call->setCallingConv(llvm::CallingConv::C);
}

/// Programs pass on variables that only some work-items have written, as the one does that has
/// something to tell its sub-group. Clang says that parameters are always defined, from which LLVM
/// would conclude that every work-item writes them.
void allowUndefinedArguments(llvm::Function& function) {
  function.removeRetAttr(llvm::Attribute::NoUndef);
  for (unsigned i = 0; i < function.arg_size(); ++i)
    function.removeParamAttr(i, llvm::Attribute::NoUndef);
  for (llvm::User* user : function.users()) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    if (!call || call->getCalledOperand() != &function)
      continue;
    call->removeRetAttr(llvm::Attribute::NoUndef);
    for (unsigned i = 0; i < call->arg_size(); ++i)
      call->removeParamAttr(i, llvm::Attribute::NoUndef);
  }
}

/// What a kernel asks for, where the target has it, or `usual`.
uint64_t chooseSubGroupSize(const llvm::Function& kernel, uint64_t usual) {
  const uint64_t required = requiredSubGroupSize(kernel);
  if (required == 0 || required == usual)
    return usual;
  const bool isCpu = !kernel.getParent()->getTargetTriple().isNVPTX();
  if (!isCpu || !llvm::is_contained(abi::cpuSubGroupSizes, required))
    kernel.getContext().emitError("the kernel '" + kernel.getName() + "' requires sub-groups of " +
                                  llvm::Twine(required) +
                                  " work-items, which the device does not have "
                                  "(CL_DEVICE_SUB_GROUP_SIZES_INTEL)");
  return required;
}

} // namespace

llvm::PreservedAnalyses PrepareKernelsPass::run(llvm::Module& module,
                                                llvm::ModuleAnalysisManager&) {
  llvm::SmallVector<llvm::Function*> kernels;
  for (llvm::Function& function : module)
    if (isClangKernel(function))
      kernels.push_back(&function);
  for (llvm::Function* kernel : kernels) {
    collapse(*kernel);
    kernel->addFnAttr(names::kernelAttribute, kernel->getName());
    setNumberAttribute(*kernel, names::subGroupSizeAttribute,
                       chooseSubGroupSize(*kernel, subGroupSize_));
  }
  for (llvm::Function& function : module) {
    useDefaultConvention(function);
    if (!function.isIntrinsic() && !function.hasFnAttribute(names::kernelAttribute))
      allowUndefinedArguments(function);
    if (function.isDeclaration())
      continue;
    // Only packets gain by calls of what the built-in library has for rare arguments.
    if (function.hasFnAttribute(names::programAttribute) ||
        (module.getTargetTriple().isNVPTX() && !function.hasFnAttribute(llvm::Attribute::Cold)))
      function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    // Denormals are always kept: -cl-denorms-are-zero allows flushing them and asks for nothing.
    // The attributes would keep built-in functions from being inlined.
    function.removeFnAttr("denormal-fp-math");
    function.removeFnAttr("denormal-fp-math-f32");
    function.setComdat(nullptr);
    if (!function.hasFnAttribute(names::kernelAttribute))
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  for (llvm::GlobalVariable& variable : module.globals())
    if (!variable.isDeclaration() && !variable.hasAppendingLinkage()) {
      variable.setComdat(nullptr);
      variable.setLinkage(llvm::GlobalValue::InternalLinkage);
    }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
