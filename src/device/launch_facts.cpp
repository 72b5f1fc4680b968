#include "device/launch_facts.h"

namespace quern::device {

abi::LaunchFacts factsOf(const LaunchKernel& launch) {
  const NdRange& range = launch.range;
  abi::LaunchFacts facts = {
      .localSize = range.local, .wholeGroups = true, .disjointMemory = launch.disjointMemory};
  for (size_t i = 0; i < range.local.size(); ++i)
    facts.wholeGroups = facts.wholeGroups && range.global[i] % range.local[i] == 0;
  return facts;
}

bool hold(const abi::LaunchFacts& facts, const abi::LaunchFacts& known) {
  return (facts.localSize[0] == 0 || facts.localSize == known.localSize) &&
         (!facts.wholeGroups || known.wholeGroups) &&
         (!facts.disjointMemory || known.disjointMemory);
}

} // namespace quern::device
