#pragma once

#include <memory>

#include <llvm/IR/PassManager.h>
#include <llvm/Passes/StandardInstrumentations.h>

#include "compiler/passes/contract_verifier.h"

namespace quern::compiler {

/// What watches passes while they run: LLVM's standard instrumentations (-print-after,
/// -time-passes, -opt-bisect-limit and their like, from QUERN_LLVM_OPTIONS) and, with
/// QUERN_VERIFY=on, LLVM's verifier and ours after each pass. Nothing in all other compiles, which
/// then cost no more.
class Instrumentation {
public:
  explicit Instrumentation(llvm::LLVMContext& context);
  Instrumentation(const Instrumentation&) = delete;
  Instrumentation& operator=(const Instrumentation&) = delete;
  /// Prints what passes took, if that is asked for.
  ~Instrumentation();

  /// For the PassBuilder of the pipeline; null where nothing watches.
  llvm::PassInstrumentationCallbacks* callbacks() { return callbacks_.get(); }
  /// Once the analyses of `modules` are registered.
  void watch(llvm::ModuleAnalysisManager& modules);

private:
  std::unique_ptr<llvm::PassInstrumentationCallbacks> callbacks_;
  std::unique_ptr<llvm::StandardInstrumentations> standard_;
  std::unique_ptr<ContractVerifier> verifier_;
};

} // namespace quern::compiler
