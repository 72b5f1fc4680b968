#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// An inner loop that reads the same elements again in each iteration of the loop around it, such
/// as a row of its own that a work-item compares with many others, is given them in a private
/// array: its packets read it as neighbouring elements, wherever they came from, and not far apart.
/// A loop before the outer one fills the array.
///
/// `region` is a copy that will run in packets, with loops in simplified form. Returns whether
/// anything changed; then no analysis is valid any more.
bool keepLoads(llvm::Function& region, llvm::FunctionAnalysisManager& analyses);

} // namespace quern::compiler
