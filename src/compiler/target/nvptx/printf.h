#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

namespace quern::compiler {

/// The address of the launch's abi::NvptxPrintBuffer, in a kernel, which is marked as one that
/// prints.
llvm::Value* printBuffer(llvm::Function& kernel, llvm::IRBuilder<>& builder);

/// Replaces the calls of printf in a kernel, or in a function that is told the buffer, by code that
/// puts a record into it. A call whose record does not fit returns -1.
void lowerNvptxPrintf(llvm::Function& function);

} // namespace quern::compiler
