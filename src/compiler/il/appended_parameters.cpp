#include "compiler/il/appended_parameters.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace quern::compiler {
namespace {

llvm::Function& withParameters(llvm::Function& old, llvm::ArrayRef<llvm::Type*> types) {
  llvm::SmallVector<llvm::Type*> all(old.getFunctionType()->params());
  all.append(types.begin(), types.end());
  llvm::Function* function =
      llvm::Function::Create(llvm::FunctionType::get(old.getReturnType(), all, false),
                             old.getLinkage(), old.getAddressSpace(), "");
  old.getParent()->getFunctionList().insert(old.getIterator(), function);
  function->copyAttributesFrom(&old);
  function->copyMetadata(&old, 0);
  function->takeName(&old);
  function->splice(function->begin(), &old);
  for (llvm::Argument& argument : old.args()) {
    function->getArg(argument.getArgNo())->takeName(&argument);
    argument.replaceAllUsesWith(function->getArg(argument.getArgNo()));
  }
  old.setSubprogram(nullptr);
  return *function;
}

void callInstead(llvm::CallInst& call, llvm::Function& function,
                 llvm::ArrayRef<llvm::Value*> appended) {
  llvm::SmallVector<llvm::Value*> arguments(call.args());
  arguments.append(appended.begin(), appended.end());
  llvm::CallInst* again = llvm::CallInst::Create(function.getFunctionType(), &function, arguments,
                                                 "", call.getIterator());
  again->setAttributes(call.getAttributes());
  again->setCallingConv(call.getCallingConv());
  again->copyMetadata(call);
  again->takeName(&call);
  call.replaceAllUsesWith(again);
  call.eraseFromParent();
}

} // namespace

bool isOnlyCalled(const llvm::Function& function) {
  return !function.isVarArg() && llvm::all_of(function.users(), [&](const llvm::User* user) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    return call && call->getCalledFunction() == &function &&
           llvm::none_of(call->args(), [&](const llvm::Use& use) { return use == &function; });
  });
}

llvm::Function& appendParameters(
    llvm::Function& function, llvm::ArrayRef<llvm::Type*> types,
    llvm::function_ref<llvm::SmallVector<llvm::Value*>(llvm::IRBuilder<>&)> argumentsFor) {
  llvm::Function& result = withParameters(function, types);
  for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> builder(call);
    callInstead(*call, result, argumentsFor(builder));
  }
  function.eraseFromParent();
  return result;
}

} // namespace quern::compiler
