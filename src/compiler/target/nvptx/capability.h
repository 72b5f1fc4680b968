#pragma once

#include <llvm/Target/TargetMachine.h>

namespace quern::compiler {

/// The compute capability that the code is for, times 10: 90 for "sm_90"; 0 for another machine's.
inline unsigned computeCapability(const llvm::TargetMachine& machine) {
  llvm::StringRef name = machine.getTargetCPU();
  unsigned number = 0;
  return name.consume_front("sm_") && !name.consumeInteger(10, number) ? number : 0;
}

} // namespace quern::compiler
