#pragma once

#include <limits>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Function.h>

#include "compiler/target/target_model.h"

namespace quern::compiler {

/// What a region's innermost loops cost where one work-item runs after the other.
struct SerialLoops {
  /// How much of the price of one work-item is left, because LLVM's vectoriser makes loops that
  /// walk along memory and sum up, in an order that does not matter.
  double part = 1;
  /// The time for which a work-item waits for its own results, next to what is left of its price:
  /// infinite where there are no loops, and where one changes memory that it reads, which takes
  /// nobody knows how long.
  double waits = std::numeric_limits<double>::infinity();
};

SerialLoops priceSerialLoops(llvm::Function& region, const llvm::LoopInfo& loops,
                             llvm::ScalarEvolution& evolution, const TargetModel& target);

} // namespace quern::compiler
