#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Makes an access per element of gathers and scatters where these instructions take longer, as
/// AMD's do: on a Zen 4 one of 16 floats takes 21 cycles, 16 loads 9. Nor do gathers tell the
/// prefetcher where their elements lie.
///
/// Only those whose addresses are equally far apart, by what need not be known before run time:
/// each follows from the one before, and none has to be taken out of a vector. And only those
/// without a mask.
class ElementAccessesPass : public llvm::PassInfoMixin<ElementAccessesPass> {
public:
  static constexpr Contract contract = {.cleared = {Property::OpenToOptimization}};

  explicit ElementAccessesPass(const PassSettings& settings);
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);

private:
  bool isWorthwhile_;
};

} // namespace quern::compiler
