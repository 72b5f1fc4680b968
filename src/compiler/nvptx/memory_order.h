#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Gives atomic operations the scope of the device, or of the work-group for local memory, which is
/// the widest one in which others can see it; and puts fences around read-modify-write operations,
/// whose order LLVM 22 drops on the way to PTX.
class MemoryOrderPass : public llvm::PassInfoMixin<MemoryOrderPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
