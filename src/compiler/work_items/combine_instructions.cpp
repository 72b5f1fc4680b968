#include "compiler/work_items/combine_instructions.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>

namespace quern::compiler {
namespace {

/// The layout without 64 bits among the widths of registers.
llvm::DataLayout withNarrowRegisters(const llvm::DataLayout& layout) {
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(layout.getStringRepresentation()).split(parts, '-');
  for (llvm::StringRef& part : parts)
    if (part.size() > 1 && part[0] == 'n' && llvm::isDigit(part[1]))
      part.consume_back(":64");
  return llvm::DataLayout(llvm::join(parts, "-"));
}

} // namespace

llvm::PreservedAnalyses CombineInstructionsPass::run(llvm::Function& function,
                                                     llvm::FunctionAnalysisManager& analyses) {
  llvm::Module& module = *function.getParent();
  const llvm::DataLayout layout = module.getDataLayout();
  module.setDataLayout(withNarrowRegisters(layout));
  llvm::PreservedAnalyses preserved = llvm::InstCombinePass().run(function, analyses);
  module.setDataLayout(layout);
  return preserved;
}

} // namespace quern::compiler
