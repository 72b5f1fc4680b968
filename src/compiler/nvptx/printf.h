#pragma once

#include <llvm/IR/Function.h>

namespace quern::compiler {

/// Replaces the calls of printf in a kernel by code that puts a record into the launch's
/// abi::NvptxPrintBuffer. A call whose record does not fit returns -1.
void lowerNvptxPrintf(llvm::Function& kernel);

} // namespace quern::compiler
