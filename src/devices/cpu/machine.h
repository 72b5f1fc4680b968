#pragma once

#include "devices/cpu/executable.h"
#include "devices/cpu/memory.h"
#include "devices/cpu/pool.h"
#include "devices/cpu/processor.h"
#include "devices/cpu/topology.h"

namespace quern::cpu {

/// What all CPU devices of the process share. Made by the first enumeration and never destroyed:
/// threads may still run when static destructors do.
struct Machine {
  Machine();

  const Processor processor;
  const Topology topology;
  Ledger memory;
  /// What a work-group may have of a thread's memory.
  const GroupLimits groupLimits;
  Pool pool;
};

Machine& machine();

} // namespace quern::cpu
