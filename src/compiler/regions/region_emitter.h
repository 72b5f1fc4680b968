#pragma once

#include "compiler/regions/context_layout.h"
#include "compiler/regions/interleaved_variables.h"
#include "compiler/regions/live_values.h"
#include "compiler/regions/private_variables.h"
#include "compiler/regions/region_graph.h"

namespace quern::compiler {

/// What is known of a work-item body that is about to be cut into regions.
struct RegionPlan {
  llvm::Function& item;
  const RegionGraph& graph;
  const Uniformity& uniformity;
  const LiveValues& values;
  const PrivateVariables& variables;
  const InterleavedVariables& interleaved;
  const ContextLayout& layout;
};

/// Makes the function of one region (il/region_function.h): a copy of the region's blocks that
/// begins by fetching what lives across the barrier and ends, before each barrier, by leaving what
/// the next region needs. Sets divergentExitsAttribute where work-items may leave the region in
/// different directions.
llvm::Function* emitRegion(const RegionPlan& plan, const Region& region);

} // namespace quern::compiler
