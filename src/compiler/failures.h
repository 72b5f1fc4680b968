#pragma once

#include "compiler/interface/compiler.h"

namespace quern::compiler {

/// Compiler::onFailure.
void reportFailures(FailureHandler handler);

} // namespace quern::compiler
