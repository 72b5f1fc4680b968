#include "compiler/program/inline_sampling.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

bool isSample(llvm::StringRef name) {
  name.consume_front(names::nvptxPrefix);
  return name.starts_with(names::samplePrefix);
}

bool hasConstantSampler(const llvm::CallInst& call) {
  constexpr unsigned samplerParameter = 1;
  return llvm::isa<llvm::ConstantInt>(call.getArgOperand(samplerParameter));
}

bool inlineCalls(llvm::Function& sample) {
  bool changed = false;
  for (llvm::User* user : llvm::make_early_inc_range(sample.users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->getCalledFunction() != &sample || !hasConstantSampler(*call))
      continue;
    llvm::InlineFunctionInfo info;
    changed |= llvm::InlineFunction(*call, info).isSuccess();
  }
  return changed;
}

} // namespace

llvm::PreservedAnalyses InlineSamplingPass::run(llvm::Module& module,
                                                llvm::ModuleAnalysisManager&) {
  bool changed = false;
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (function.isDeclaration() || !isSample(function.getName()))
      continue;
    changed |= inlineCalls(function);
    if (function.use_empty())
      function.eraseFromParent();
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
