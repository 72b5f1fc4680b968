#pragma once

#include <llvm/IR/Function.h>

namespace quern::compiler {

/// Replaces the calls of work-item functions in a work-item
/// body by arithmetic on its implicit arguments, and those of barriers and collective functions
/// by functions of ours (il/names.h). A kernel with a required work-group size that is known to be
/// uniform sees it as a constant.
void lowerWorkItemFunctions(llvm::Function& item);

} // namespace quern::compiler
