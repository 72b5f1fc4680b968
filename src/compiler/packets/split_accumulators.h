#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

#include "compiler/target/target_model.h"

namespace quern::compiler {

/// Splits innermost loops that only read and that add up more numbers, in packets, than there are
/// registers: into several loops, one after the other, each of which adds up as many as stay in
/// registers. What is read for several sums is read by few of the loops. `region` has loops in
/// simplified form, and `items` is how many work-items a packet may have. True if there was one.
bool splitAccumulators(llvm::Function& region, unsigned items, const TargetModel& target,
                       llvm::FunctionAnalysisManager& analyses);

} // namespace quern::compiler
