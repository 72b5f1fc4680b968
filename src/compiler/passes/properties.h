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

} // namespace quern::compiler
