#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Unrolls innermost loops in which each work-item walks along a row of its own: then a packet
/// reads several neighbouring elements of each row at once, instead of gathering one of each.
/// `region` has loops in simplified form. True if there was one.
bool unrollRowLoops(llvm::Function& region, llvm::FunctionAnalysisManager& analyses);

} // namespace quern::compiler
