#include "compiler/passes/instrumentation.h"

#include <llvm/IR/PassTimingInfo.h>
#include <llvm/Pass.h>
#include <llvm/Support/CommandLine.h>

#include "base/config.h"
#include "compiler/passes/registry.h"

namespace quern::compiler {
namespace {

/// Clang takes -time-passes for an option of its own, and switches it off where it is not given it.
void restoreTimePasses() {
  const llvm::cl::Option* option = llvm::cl::getRegisteredOptions().lookup("time-passes");
  if (option && option->getNumOccurrences() > 0)
    llvm::TimePassesIsEnabled = true;
}

} // namespace

Instrumentation::Instrumentation(llvm::LLVMContext& context) {
  const bool isVerified = config().get(Option::Verify) == "on";
  if (!isVerified && config().get(Option::LlvmOptions).empty())
    return;
  restoreTimePasses();
  callbacks_ = std::make_unique<llvm::PassInstrumentationCallbacks>();
  standard_ = std::make_unique<llvm::StandardInstrumentations>(context, /*DebugLogging=*/false);
  if (isVerified)
    verifier_ = std::make_unique<ContractVerifier>();
}

Instrumentation::~Instrumentation() {
  if (standard_)
    standard_->getTimePasses().print();
}

void Instrumentation::watch(llvm::ModuleAnalysisManager& modules) {
  if (!callbacks_)
    return;
  registerPassNames(*callbacks_);
  standard_->registerCallbacks(*callbacks_, &modules);
  if (verifier_)
    verifier_->registerCallbacks(*callbacks_);
}

} // namespace quern::compiler
