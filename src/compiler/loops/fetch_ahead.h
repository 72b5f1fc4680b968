#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Fetches what loops over lists read before they need it (orderedReads). There, what lies a fixed
/// number of bytes ahead belongs to one of the next work-items if not to the same, and the misses
/// of what the lists point to keep a processor from seeing that it could fetch it by itself.
///
/// It changes no value: a fetch of memory that does not exist does nothing.
class FetchAheadPass : public llvm::PassInfoMixin<FetchAheadPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::EntriesMade, Property::LoopsSimplified},
      .cleared = {Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace quern::compiler
