#pragma once

#include <string>

#include <llvm/IR/Function.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// The property's name in messages, as in "barriers-isolated".
llvm::StringRef nameOf(Property property);

/// Why `property` does not hold of `function`, which has a body, as the end of a sentence; empty
/// where it holds, as far as the IR shows that.
std::string whyNot(Property property, llvm::Function& function);

/// Whether the IR shows `property` only when a pass has just set it: later simplifications may show
/// more for such a pass to do, which is no fault of theirs.
bool isShownOnlyWhenSet(Property property);

} // namespace quern::compiler
