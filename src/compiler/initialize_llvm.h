#pragma once

namespace quern::compiler {

/// Prepares LLVM once for the process: targets, and limits of its passes that have no other place.
void initializeLlvm();

} // namespace quern::compiler
