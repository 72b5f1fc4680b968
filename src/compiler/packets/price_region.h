#pragma once

#include <llvm/IR/Function.h>

#include "compiler/packets/accesses/access_plan.h"
#include "compiler/packets/packet_emitter.h"
#include "compiler/packets/region_prices.h"
#include "compiler/packets/serial_loops.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {

/// What is priced, beside the plan, which is that of a packet that runs alone and lies inside the
/// work-group.
struct PricedRegion {
  const llvm::Function& unprepared; ///< the region before its vectors became elements
  const Uniformity& inRow;          ///< without any alignment
  bool calledFunctions;             ///< some of the code was that of a function of its own
  unsigned forms;        ///< how many the region gets: one, or one more for whole packets
  unsigned instructions; ///< that are compiled without packets
  bool isCodeWaitedFor;  ///< launches wait until it is compiled
  SerialLoops loops;     ///< of one work-item after the other
};

RegionPrices priceRegion(const PacketPlan& plan, const AccessPlan& accesses,
                         const PricedRegion& region, const TargetModel& target);

/// What the loads and stores of a function cost a work-item that runs alone.
double priceAccesses(llvm::Function& function, const TargetModel& target);

} // namespace quern::compiler
