#include "compiler/program/flushed_functions.h"

#include <llvm/IR/Module.h>

#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

constexpr llvm::StringLiteral denormalModes[] = {"denormal-fp-math", "denormal-fp-math-f32"};

} // namespace

llvm::PreservedAnalyses MarkFlushedFunctionsPass::run(llvm::Module& module,
                                                      llvm::ModuleAnalysisManager&) {
  for (llvm::Function& function : module) {
    if (function.getFnAttribute("denormal-fp-math-f32")
            .getValueAsString()
            .starts_with("preserve-sign"))
      function.addFnAttr(names::flushDenormalsAttribute);
    for (llvm::StringRef mode : denormalModes)
      function.removeFnAttr(mode);
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
