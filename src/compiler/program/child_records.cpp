#include "compiler/program/child_records.h"

#include <utility>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "compiler/il/appended_parameters.h"
#include "compiler/il/called_function.h"
#include "compiler/il/enqueue_functions.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

void replaceCalls(llvm::Function& function, llvm::Value& address) {
  address.setName("child.records");
  for (llvm::CallInst* call : callsOf(function, names::childRecords)) {
    call->replaceAllUsesWith(&address);
    call->eraseFromParent();
  }
}

/// A kernel with the body of `old` and one parameter more.
void extend(llvm::Function& old) {
  llvm::Type* address = llvm::Type::getInt64Ty(old.getContext());
  llvm::SmallVector<llvm::Type*> types(old.getFunctionType()->params());
  types.push_back(address);
  llvm::Function* kernel =
      llvm::Function::Create(llvm::FunctionType::get(old.getReturnType(), types, false),
                             old.getLinkage(), old.getAddressSpace(), "");
  old.getParent()->getFunctionList().insert(old.getIterator(), kernel);
  kernel->copyAttributesFrom(&old);
  kernel->copyMetadata(&old, 0);
  kernel->setComdat(old.getComdat());
  kernel->takeName(&old);
  kernel->splice(kernel->begin(), &old);
  for (unsigned i = 0; i < old.arg_size(); ++i) {
    kernel->getArg(i)->takeName(old.getArg(i));
    old.getArg(i)->replaceAllUsesWith(kernel->getArg(i));
  }
  old.eraseFromParent();
  replaceCalls(*kernel, *kernel->getArg(kernel->arg_size() - 1));
}

/// Gives `functions`, which call each other if they are several, a parameter where they ask for the
/// records, or call one that does.
void passToEach(llvm::SmallVector<llvm::Function*, 1> functions, llvm::Function& question) {
  llvm::DenseMap<llvm::Function*, llvm::Argument*> parameters;
  bool isAsked = true;
  while (std::exchange(isAsked, false))
    for (llvm::Function*& function : functions) {
      if (isClangKernel(*function) || callsOf(*function, names::childRecords).empty())
        continue;
      isAsked = true;
      if (!parameters.contains(function)) {
        function =
            &appendParameters(*function, {question.getReturnType()},
                              [&](llvm::IRBuilder<>& builder) -> llvm::SmallVector<llvm::Value*> {
                                return {builder.CreateCall(&question)};
                              });
        parameters[function] = function->getArg(function->arg_size() - 1);
      }
      replaceCalls(*function, *parameters[function]);
    }
}

} // namespace

llvm::PreservedAnalyses ChildRecordsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::Function* question = module.getFunction(names::childRecords);
  if (!question)
    return llvm::PreservedAnalyses::all();
  llvm::SmallVector<llvm::Function*> kernels;
  for (llvm::Function& function : module)
    if (isClangKernel(function) && usesChildRecords(function))
      kernels.push_back(&function);
  for (const auto& functions : calledFunctions(module))
    passToEach(functions, *question);
  for (llvm::Function* kernel : kernels)
    extend(*kernel);
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
