#pragma once

#include <string>

#include <llvm/IR/Module.h>

#include "compiler/packets/accesses/access_plan.h"
#include "compiler/packets/packet_emitter.h"

namespace quern::compiler {

/// What a report says of a region that runs in packets of `plan`, whose tile is `form`: width,
/// tile, accesses by kind, and branches taken when any work-item takes them.
std::string describePackets(const PacketPlan& plan, const AccessPlan& accesses,
                            const llvm::Function& form);

/// Adds a line on `region` to the report that `module` carries (names::reportMetadata).
void addToReport(llvm::Function& region, const std::string& line);

/// Adds a line on a kernel as a whole, whose entry `entry` is.
void addToReportOfKernel(llvm::Function& entry, const std::string& line);

/// The report as text: a line for each region, in the order of their kernels.
std::string reportOf(const llvm::Module& module);

} // namespace quern::compiler
