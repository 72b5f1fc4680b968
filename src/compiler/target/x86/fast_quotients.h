#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Divides vectors of float that may be multiplied by the reciprocal instead (`arcp`, as with
/// -cl-fast-relaxed-math) by the processor's estimate of that and one step of Newton's iteration.
/// LLVM does so, too, but what it makes of divisors that are zero or infinite is no number,
/// although the estimate is right: programs rely on `1 / (1 + exp(x))` becoming 0. Quotients are
/// off by at most 1.7 ulp, or 2.4 with the older estimates, where OpenCL C allows 2.5. Without
/// fused multiply-adds they would be off by more: there, and where the lanes fill no register, the
/// processor divides.
class FastQuotientsPass : public llvm::PassInfoMixin<FastQuotientsPass> {
public:
  static constexpr Contract contract = {.cleared = {Property::OpenToOptimization}};

  /// So many bits of the reciprocals of 4 or 8 floats, or of 16 with AVX-512.
  enum class Estimates : uint8_t { None, Bits12, Bits14 };

  explicit FastQuotientsPass(const PassSettings& settings);
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);

private:
  Estimates estimates_;
};

} // namespace quern::compiler
