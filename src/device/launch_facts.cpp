#include "device/launch_facts.h"

#include "base/sentence.h"

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

std::string describe(const abi::LaunchFacts& facts) {
  std::string text;
  if (facts.localSize[0] != 0)
    text = sentence(" for work-groups of ", facts.localSize[0], " x ", facts.localSize[1], " x ",
                    facts.localSize[2]);
  if (facts.wholeGroups)
    text += text.empty() ? " for whole work-groups" : ", all whole";
  if (facts.disjointMemory)
    text += text.empty() ? " for disjoint buffers" : ", and disjoint buffers";
  return text.empty() ? " for all launches" : text;
}

} // namespace quern::device
