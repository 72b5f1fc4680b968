#include "compiler/program/undefined_functions.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "abi/checked_launch.h"
#include "compiler/checks/wanted_checks.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/sub_group_form.h"
#include "compiler/il/work_item_functions.h"
#include "compiler/work_items/sub_group_forms.h"

namespace quern::compiler {
namespace {

std::string useOf(const llvm::Function& function) {
  for (const llvm::User* user : function.users())
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
      return "called by " + describeFunction(*instruction->getFunction());
  return "used by a variable";
}

/// Whether the step sub-groups knows all calls of a function.
bool isLoweredLater(const llvm::Function& function) {
  return llvm::all_of(function.users(), [](const llvm::User* user) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    return call && (isSubGroupPlace(*call) || isSubGroupOperation(*call));
  });
}

/// What kernels with checks call, which the device has.
bool isOfChecks(const llvm::Function& function) {
  return wantedChecks(*function.getParent()).any() &&
         llvm::is_contained(abi::checkSymbols, std::string_view(function.getName()));
}

bool hasAssembly(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && call->isInlineAsm();
  });
}

bool isOfWorkItem(llvm::StringRef name) {
  return workItemFunction(name) || isBarrier(name) || isSubGroupBarrier(name) ||
         name == names::printf;
}

/// Whether later steps have nothing to say of a declaration.
bool isKnown(const llvm::Function& function) {
  return function.isIntrinsic() || function.use_empty() ||
         function.getName().starts_with(names::ownPrefix) || isOfWorkItem(function.getName());
}

} // namespace

llvm::PreservedAnalyses UndefinedFunctionsPass::run(llvm::Module& module,
                                                    llvm::ModuleAnalysisManager&) {
  for (llvm::Function& function : module) {
    if (hasAssembly(function))
      module.getContext().emitError("inline assembly is not part of OpenCL C (in " +
                                    describeFunction(function) + ")");
    if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty() &&
        !function.getName().starts_with(names::ownPrefix) && !isLoweredLater(function) &&
        !isOfChecks(function))
      module.getContext().emitError("undefined function '" +
                                    llvm::demangle(function.getName().str()) + "', " +
                                    useOf(function));
  }
  if (!module.getModuleInlineAsm().empty())
    module.getContext().emitError("inline assembly is not part of OpenCL C");
  for (const llvm::GlobalVariable& variable : module.globals())
    if (variable.isDeclaration() && !variable.use_empty() &&
        variable.getName() != names::dynamicLocalMemory)
      module.getContext().emitError("undefined variable '" +
                                    llvm::demangle(variable.getName().str()) + "'");
  return llvm::PreservedAnalyses::all();
}

bool isSurelyDefined(const llvm::Module& module) {
  return module.getModuleInlineAsm().empty() &&
         llvm::none_of(module.globals(),
                       [](const llvm::GlobalVariable& variable) {
                         return (variable.isDeclaration() && !variable.use_empty()) ||
                                variable.hasAppendingLinkage();
                       }) &&
         llvm::all_of(module, [](const llvm::Function& function) {
           return function.isDeclaration() ? isKnown(function) : !hasAssembly(function);
         });
}

} // namespace quern::compiler
