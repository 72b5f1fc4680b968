#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Freezes what divisions of vectors by constants give, because LLVM 22's instruction selection
/// goes wrong where it makes one permutation of those before and behind such a division:
/// - The divisor is permuted, too, and becomes undefined where nobody asks for the result. A
///   division by an undefined element is to LLVM one whose whole result is undefined.
/// - Elements of 8 bits are divided by products of 16 bits, of which permutations take the high
///   halves. With a permutation of the program's between these and another product x86's back end
///   takes zeros in their place.
/// It moves no permutation across a freeze. Divisors that are no constants are divided by one by
/// one, and nothing is permuted with them.
class FrozenQuotientsPass : public llvm::PassInfoMixin<FrozenQuotientsPass> {
public:
  static constexpr Contract contract = {.cleared = {Property::OpenToOptimization}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
