#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Lets a thread count for itself. Where all that a loop does to an array of integers is to change
/// them by relaxed atomic operations of one kind whose results nobody uses, as a histogram does,
/// the thread collects what it does to the first few KiB of the array in a table of its own and
/// does it all, once for each integer, when it leaves the loop. Threads that count the same things
/// then do not take the memory away from each other all the time, and need no locked instructions.
///
/// OpenCL's memory model allows it: relaxed operations order nothing else, the operations of
/// several work-items on one integer may come one right after the other, and nobody can wait for
/// one of them inside the loop, which has no other atomic or volatile access, no fence and no call
/// that could have. Outside, they become visible when the loop ends, at the latest when the thread
/// has run its range of work-groups.
class PrivateCountersPass : public llvm::PassInfoMixin<PrivateCountersPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::EntriesMade, Property::LoopsSimplified},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace quern::compiler
