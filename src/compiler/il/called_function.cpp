#include "compiler/il/called_function.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/il/address_space.h"
#include "compiler/il/appended_parameters.h"
#include "compiler/il/names.h"

namespace quern::compiler {

llvm::SmallVector<llvm::SmallVector<llvm::Function*, 1>> calledFunctions(llvm::Module& module) {
  llvm::CallGraph graph(module);
  llvm::SmallVector<llvm::SmallVector<llvm::Function*, 1>> components;
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component) {
    llvm::SmallVector<llvm::Function*, 1> functions;
    for (const llvm::CallGraphNode* node : *component)
      if (llvm::Function* function = node->getFunction();
          function && !function->isDeclaration() &&
          !function->hasFnAttribute(names::kernelAttribute) && isOnlyCalled(*function))
        functions.push_back(function);
    if (!functions.empty())
      components.push_back(std::move(functions));
  }
  return components;
}

llvm::Function& questionFunction(llvm::Module& module, llvm::StringRef name) {
  // What printf writes to is in global memory of an NVIDIA device.
  const unsigned space = module.getTargetTriple().isNVPTX() ? address_space::global : 0;
  auto* type = llvm::FunctionType::get(llvm::PointerType::get(module.getContext(), space), false);
  auto* function = llvm::cast<llvm::Function>(module.getOrInsertFunction(name, type).getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->addFnAttr(llvm::Attribute::WillReturn);
  return *function;
}

llvm::Argument* answerIn(llvm::Function& function, llvm::StringRef question) {
  for (llvm::Argument& argument : function.args())
    if (function.getAttributes().hasParamAttr(argument.getArgNo(), question))
      return &argument;
  return nullptr;
}

llvm::SmallVector<llvm::CallInst*> callsOf(llvm::Function& function, llvm::StringRef name) {
  llvm::SmallVector<llvm::CallInst*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        call && call->getCalledFunction() && call->getCalledFunction()->getName() == name)
      calls.push_back(call);
  return calls;
}

} // namespace quern::compiler
