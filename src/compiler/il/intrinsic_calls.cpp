#include "compiler/il/intrinsic_calls.h"

#include <llvm/IR/InstIterator.h>

#include "compiler/il/preserved_analyses.h"

namespace quern::compiler {

llvm::PreservedAnalyses replaceCalls(llvm::Function& function, llvm::Intrinsic::ID intrinsic,
                                     llvm::function_ref<bool(llvm::IntrinsicInst&)> replace) {
  llvm::SmallVector<llvm::IntrinsicInst*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == intrinsic)
      calls.push_back(call);
  bool changed = false;
  for (llvm::IntrinsicInst* call : calls)
    changed |= replace(*call);
  return preservedWithCfg(changed);
}

} // namespace quern::compiler
