#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

/// Functions that were not inlined into the kernels that call them. They have no implicit arguments
/// (il/kernel_function.h): what they need of the work-item their callers pass
/// (work_items/work_item_parameters.h).
namespace quern::compiler {

/// The functions with a body that are no kernels and are only called: the strongly connected
/// components of the call graph, each before its callers. More than one function is in a component
/// only where they call each other.
llvm::SmallVector<llvm::SmallVector<llvm::Function*, 1>> calledFunctions(llvm::Module& module);

/// The function that stands for what only a kernel knows: names::printer or names::groupScratch.
llvm::Function& questionFunction(llvm::Module& module, llvm::StringRef name);

/// The parameter of a called function that has what the function `question` returns in a kernel;
/// null where it has none.
llvm::Argument* answerIn(llvm::Function& function, llvm::StringRef question);

/// The calls of the function `name` in `function`.
llvm::SmallVector<llvm::CallInst*> callsOf(llvm::Function& function, llvm::StringRef name);

} // namespace quern::compiler
