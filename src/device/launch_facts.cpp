#include "device/launch_facts.h"

#include <algorithm>
#include <cstring>

#include "base/sentence.h"

namespace quern::device {

namespace {

/// Of a Value of at most 8 bytes, sign-extended.
int64_t valueOf(const abi::KernelArgument& argument, const ArgumentBlock& block) {
  uint64_t value = 0;
  std::memcpy(&value, block.data() + argument.offset, argument.bytes);
  const uint32_t unused = 64 - 8 * argument.bytes;
  return static_cast<int64_t>(value << unused) >> unused;
}

void addConstants(abi::LaunchFacts& facts, const ArgumentBlock& block,
                  const abi::KernelDescription& description) {
  for (const abi::ConstantCandidate& candidate : description.constantCandidates) {
    const int64_t value = valueOf(description.arguments[candidate.argument], block);
    const uint64_t magnitude =
        value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    if (magnitude <= candidate.limit)
      facts.constants[facts.constantCount++] = {candidate.argument, value};
  }
}

} // namespace

abi::LaunchFacts factsOf(const LaunchKernel& launch, const abi::KernelDescription& description,
                         bool disjointMemory) {
  const NdRange& range = launch.range;
  abi::LaunchFacts facts = {.localSize = range.local,
                            .wholeGroups = true,
                            .disjointMemory = disjointMemory,
                            .zeroOffset = range.offset == std::array<uint64_t, 3>{}};
  // Where this wraps, code that would be faster is not taken.
  facts.storedBytes = description.storedBytes;
  for (size_t i = 0; i < range.local.size(); ++i) {
    facts.wholeGroups = facts.wholeGroups && range.global[i] % range.local[i] == 0;
    facts.storedBytes *= range.global[i];
  }
  addConstants(facts, launch.arguments, description);
  return facts;
}

bool hold(const abi::LaunchFacts& facts, const abi::LaunchFacts& known) {
  return (facts.localSize[0] == 0 || facts.localSize == known.localSize) &&
         (!facts.wholeGroups || known.wholeGroups) && (!facts.zeroOffset || known.zeroOffset) &&
         (!facts.disjointMemory || known.disjointMemory) &&
         facts.storedBytes <= known.storedBytes &&
         std::ranges::all_of(facts.constantArguments(), [&](const abi::ConstantArgument& constant) {
           return std::ranges::count(known.constantArguments(), constant) != 0;
         });
}

std::string describe(const abi::LaunchFacts& facts) {
  std::string text;
  if (facts.localSize[0] != 0)
    text = sentence(" for work-groups of ", facts.localSize[0], " x ", facts.localSize[1], " x ",
                    facts.localSize[2]);
  if (facts.wholeGroups)
    text += text.empty() ? " for whole work-groups" : ", all whole";
  if (facts.zeroOffset)
    text += text.empty() ? " for ids from 0" : ", ids from 0";
  if (facts.disjointMemory)
    text += text.empty() ? " for disjoint buffers" : ", and disjoint buffers";
  if (facts.storedBytes != 0)
    text += sentence(text.empty() ? " for " : ", and ", facts.storedBytes, " bytes stored or more");
  for (const abi::ConstantArgument& constant : facts.constantArguments())
    text += sentence(text.empty() ? " for " : ", and ", constant.value, " as argument ",
                     constant.argument);
  return text.empty() ? " for all launches" : text;
}

} // namespace quern::device
