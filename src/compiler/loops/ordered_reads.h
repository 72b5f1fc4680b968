#pragma once

#include <vector>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>

namespace quern::compiler {

/// A loop's loads that go upwards through a buffer, at places that stay the same bytes apart.
struct OrderedReads {
  struct Load {
    llvm::LoadInst* load;
    int64_t offset; ///< bytes from `course`
  };
  std::vector<Load> loads;            ///< by address, the lowest first
  const llvm::SCEVAddRecExpr* course; ///< the address of one of them
  uint64_t step;                      ///< bytes from one iteration to the next
};

/// What `loop` reads in order, if it goes through a list that points elsewhere, one of many that
/// follow each other, as it does for a row of a sparse matrix:
/// - It is an innermost loop inside another.
/// - It reads at places that it computes from what it reads in order.
/// - It begins where a number says that the loop around it reads in order, too.
/// Nothing for other loops, and for those that go through too many buffers to be helped.
std::vector<OrderedReads> orderedReads(const llvm::Loop& loop, llvm::ScalarEvolution& evolution);

} // namespace quern::compiler
