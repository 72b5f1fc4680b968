#pragma once

#include <string_view>

#include <llvm/IR/Module.h>

#include "abi/checks.h"

namespace quern::compiler {

/// The checks of a target: "...;checks=memory+races" (Target::description). None where it names one
/// that is not known.
abi::CheckSet checksOfTarget(std::string_view description);

/// Notes in `module` which checks its kernels are to have, and what was noted.
void wantChecks(llvm::Module& module, abi::CheckSet checks);
abi::CheckSet wantedChecks(const llvm::Module& module);

} // namespace quern::compiler
