#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Gives every byte of a wide shuffle a source. With permutations of bytes (AVX-512 VBMI) LLVM 22's
/// instruction selection never ends for many shuffles of 64 bytes of which some are poison.
class ByteShufflesPass : public llvm::PassInfoMixin<ByteShufflesPass> {
public:
  static constexpr Contract contract = {.cleared = {Property::OpenToOptimization}};

  explicit ByteShufflesPass(const PassSettings& settings);
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }

private:
  bool hasPermutations_;
};

} // namespace quern::compiler
