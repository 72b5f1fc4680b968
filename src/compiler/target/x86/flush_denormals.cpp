#include "compiler/target/x86/flush_denormals.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

/// Bits of the register MXCSR: subnormal results become zero, subnormal operands count as zero.
constexpr uint32_t flushToZero = 1 << 15, denormalsAreZero = 1 << 6;

} // namespace

llvm::PreservedAnalyses FlushDenormalsPass::run(llvm::Function& function,
                                                llvm::FunctionAnalysisManager&) {
  if (function.isDeclaration() || function.hasLocalLinkage() ||
      !function.hasFnAttribute(names::flushDenormalsAttribute))
    return llvm::PreservedAnalyses::all();
  llvm::IRBuilder<> builder(startOf(function));
  llvm::Value* saved = builder.CreateAlloca(builder.getInt32Ty());
  llvm::Value* changed = builder.CreateAlloca(builder.getInt32Ty());
  builder.CreateIntrinsic(llvm::Intrinsic::x86_sse_stmxcsr, {saved});
  llvm::Value* state = builder.CreateLoad(builder.getInt32Ty(), saved);
  builder.CreateStore(builder.CreateOr(state, flushToZero | denormalsAreZero), changed);
  builder.CreateIntrinsic(llvm::Intrinsic::x86_sse_ldmxcsr, {changed});
  for (llvm::BasicBlock& block : function)
    if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
      builder.SetInsertPoint(end);
      builder.CreateIntrinsic(llvm::Intrinsic::x86_sse_ldmxcsr, {saved});
    }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
