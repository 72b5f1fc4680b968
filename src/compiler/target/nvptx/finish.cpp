#include "compiler/target/nvptx/finish.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

bool forbidsUnrolling(const llvm::Metadata* option) {
  const auto* node = llvm::dyn_cast_or_null<llvm::MDNode>(option);
  const auto* name = node && node->getNumOperands() > 0
                         ? llvm::dyn_cast<llvm::MDString>(node->getOperand(0))
                         : nullptr;
  return name && name->getString() == "llvm.loop.unroll.disable";
}

/// LLVM marks the rest loops of those that it has unrolled; the back end would forbid the driver's
/// compiler to unroll them.
void allowUnrolling(llvm::BasicBlock& block) {
  llvm::Instruction* end = block.getTerminator();
  const llvm::MDNode* loop = end->getMetadata(llvm::LLVMContext::MD_loop);
  if (!loop || llvm::none_of(llvm::drop_begin(loop->operands()), forbidsUnrolling))
    return;
  llvm::SmallVector<llvm::Metadata*> kept = {nullptr};
  for (const llvm::MDOperand& operand : llvm::drop_begin(loop->operands()))
    if (!forbidsUnrolling(operand))
      kept.push_back(operand);
  llvm::MDNode* changed = llvm::MDNode::getDistinct(block.getContext(), kept);
  changed->replaceOperandWith(0, changed);
  end->setMetadata(llvm::LLVMContext::MD_loop, changed);
}

} // namespace

llvm::PreservedAnalyses FinishNvptxPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function& function : module) {
    if (function.hasFnAttribute(names::flushDenormalsAttribute))
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
    for (llvm::BasicBlock& block : function)
      allowUnrolling(block);
  }
  return llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
