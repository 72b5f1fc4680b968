#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Divides vectors of float that may be multiplied by the reciprocal instead (`arcp`, as with
/// -cl-fast-relaxed-math) by AVX-512's estimate of that and one step of Newton's iteration. LLVM
/// does so, too, but what it makes of divisors that are zero or infinite is no number, although
/// the estimate is right: programs rely on `1 / (1 + exp(x))` becoming 0. Quotients are off by less
/// than 1.7 ulp, where OpenCL C allows 2.5; of the older estimates, of 12 bits, they would be off
/// by more. Without AVX-512, and where the lanes fill no register, the processor divides.
class FastQuotientsPass : public llvm::PassInfoMixin<FastQuotientsPass> {
public:
  static constexpr Contract contract = {.cleared = {Property::OpenToOptimization}};

  explicit FastQuotientsPass(const PassSettings& settings);
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);

private:
  bool hasEstimates_;
};

} // namespace quern::compiler
