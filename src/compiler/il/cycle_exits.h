#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/CycleInfo.h>

namespace quern::compiler {

using ExitValues = llvm::SmallPtrSet<const llvm::Value*, 4>;

/// Adds to `values` what tells by which way work-items left a cycle, and is uniform according to
/// `uniformity` although they may diverge there: a phi of a block outside that has different values
/// from several blocks of the cycle. LLVM's analysis looks only for values that the cycle computes,
/// not for constants. Returns whether there were any.
bool addExitValues(const llvm::CycleInfo& cycles, llvm::UniformityInfo& uniformity,
                   ExitValues& values);

} // namespace quern::compiler
