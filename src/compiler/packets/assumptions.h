#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// What a form of a region relies on. With bounds of loops there may be other conditions, too.
enum class Assumed { Nothing, Conditions, BoundsOfLoops };

/// Conditions such as `if (i - k >= 0) sum += x[i - k]` in a short loop over k: they hold for all
/// work-items but a few at the edges of the data. So do those that choose where a loop begins or
/// ends, as of a filter that reaches beyond the data, between a bound that is the same for all
/// work-items and another one, or one for a single place; and numbers are within limits, as
/// coordinates in an image.
///
/// Takes such branches, choices (these only where `withBounds`) and limits out of `region`, which
/// does then what it does where the conditions hold in each iteration; calls of names::packetGuard
/// at its start (il/packet_condition.h) say so. Only for branches that skip something, and for
/// those that choose what is done where ids lie within limits
/// (`if (x > 0 && x < columns - 1) out = f(x); else out = 0;`), on comparisons that are known at
/// the start but for the counters of loops of a known number of iterations. Where anything is
/// assumed, no analysis is valid any more.
Assumed assumeConditions(llvm::Function& region, bool withBounds,
                         llvm::FunctionAnalysisManager& analyses);

} // namespace quern::compiler
