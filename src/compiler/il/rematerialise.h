#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

namespace quern::compiler {

/// Makes `value` again, for another place or another work-item, of copies of the instructions that
/// it is made by, down to what `known` gives; that gives null for what must be copied. What turns
/// out to be something simpler is that. The copies may run where the originals do not, so they
/// promise nothing.
llvm::Value* rematerialise(llvm::IRBuilderBase& builder, llvm::Value* value,
                           llvm::function_ref<llvm::Value*(llvm::Value*)> known);

/// Whether copies of few instructions do, which may run where the originals do not and give the
/// same there at any time, down to what `isKnown`.
bool canRematerialise(const llvm::Value* value,
                      llvm::function_ref<bool(const llvm::Value*)> isKnown);

} // namespace quern::compiler
