#pragma once

#include <llvm/IR/IRBuilder.h>

namespace quern::compiler {

/// Makes what a collective function of a work-group gives (il/collective.h) in vectors of
/// `vectorBits`, from arrays with an element for each of `count` work-items, all of which take
/// part. `combine` is the library's function, whose place this takes. False, and nothing is made,
/// for functions that are no reductions, scans or votes.
///
/// Reductions and scans of floating-point numbers add them in another order than the library's
/// function, which OpenCL C 6.15.16 allows.
bool combineInVectors(llvm::IRBuilder<>& builder, llvm::StringRef combine, llvm::Value* results,
                      llvm::Value* operands, llvm::Value* count, unsigned vectorBits);

} // namespace quern::compiler
