#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Conditions at the start of a region that keep some work-items from doing anything, such as
/// `if (get_global_id(0) >= n) return`. In most tiles of packets they hold for all work-items.
///
/// Takes the branches on such conditions out of `region`: a call of names::packetGuard
/// (il/packet_condition.h) says instead that what follows is only right where its argument is true
/// for all work-items of a tile. Nothing before a guard has an effect. `width` is that of the
/// packets.
void takeOutGuards(llvm::Function& region, unsigned width, llvm::FunctionAnalysisManager& analyses);

} // namespace quern::compiler
