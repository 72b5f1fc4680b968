#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Divides vectors of float by square roots by means of AVX-512's estimate of the reciprocal root
/// and one step of Newton's iteration: roots and quotients are the work of one slow unit of
/// processors, which then does one of the two at most while others work. The reciprocal is off by
/// less than 1.2 ulp and other quotients by less than 1.7, where OpenCL C allows 2 for rsqrt
/// and 5.5 for the two operations together. Not for programs that ask for correctly rounded ones.
/// Vectors of double, whose quotients are correctly rounded unless they are marked as others
/// (`arcp`, as rsqrt's is), get one step of the third order; the reciprocal is off by less than 1.6
/// ulp.
///
/// Optimisations know more of the operations than of their parts.
class ReciprocalRootsPass : public llvm::PassInfoMixin<ReciprocalRootsPass> {
public:
  static constexpr Contract contract = {.cleared = {Property::OpenToOptimization}};

  explicit ReciprocalRootsPass(const PassSettings& settings);
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);

private:
  bool hasEstimates_;
};

} // namespace quern::compiler
