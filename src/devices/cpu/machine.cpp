#include "devices/cpu/machine.h"

#include <algorithm>

#include "devices/cpu/resources.h"

namespace quern::cpu {

namespace {

/// Local memory is ordinary memory: this much of it stays in a core's second-level cache.
constexpr uint64_t localBytes = 256 << 10;
constexpr size_t maxWorkGroupSize = 4096;
constexpr uint64_t maxContextBytes = uint64_t(1) << 30;

GroupLimits groupLimitsFor(uint64_t memory, uint32_t units) {
  // Every unit may need its context at the same time; together they get a quarter of the memory.
  return {.localBytes = localBytes,
          .contextBytes = std::min(memory / 4 / units, maxContextBytes),
          .maxWorkGroupSize = maxWorkGroupSize,
          .computeUnits = units};
}

} // namespace

Machine::Machine()
    : processor(readProcessor()), topology(readTopology(computeUnits(), affinityCpus())),
      memory(memoryBytes()),
      groupLimits(groupLimitsFor(memory.limit(), static_cast<uint32_t>(topology.units.size()))),
      pool(static_cast<uint32_t>(topology.units.size())) {}

Machine& machine() {
  static Machine* const instance = new Machine();
  return *instance;
}

} // namespace quern::cpu
