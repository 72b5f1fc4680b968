#include "device/launch_facts.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/sentence.h"
#include "device/device.h"

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
      facts.constants.add({candidate.argument, value});
  }
}

/// Images and samplers are the same ones, or of the same kinds, in nearly all launches.
void addObjects(abi::LaunchFacts& facts, const LaunchKernel& launch,
                const abi::KernelDescription& description) {
  for (uint32_t index = 0; index < description.arguments.size() && !facts.objects.isFull();
       ++index) {
    const abi::KernelArgument& argument = description.arguments[index];
    if (argument.kind == abi::ArgumentKind::Sampler)
      facts.objects.add({index, valueOf(argument, launch.arguments)});
    else if (argument.kind == abi::ArgumentKind::Image)
      if (const int64_t format = launch.executable->imageFormat(
              static_cast<uint64_t>(valueOf(argument, launch.arguments))))
        facts.objects.add({index, format});
  }
}

bool areAmong(const abi::KnownArguments& some, const abi::KnownArguments& all) {
  return std::ranges::all_of(
      some, [&](const abi::KnownArgument& known) { return std::ranges::count(all, known) != 0; });
}

} // namespace

abi::LaunchFacts factsOf(const LaunchKernel& launch, const abi::KernelDescription& description,
                         bool disjointMemory) {
  const NdRange& range = launch.range;
  abi::LaunchFacts facts = {.localSize = range.local,
                            .wholeGroups = range.hasWholeGroups(),
                            .disjointMemory = disjointMemory,
                            .zeroOffset = range.offset == std::array<uint64_t, 3>{}};
  if ((description.flatDimensions & 1) != 0 && range.global[0] <= abi::fewColumns)
    facts.mostColumns = std::bit_ceil(range.global[0]);
  // Where this wraps, code that would be faster is not taken.
  facts.storedBytes = description.storedBytes;
  for (const uint64_t size : range.global)
    facts.storedBytes *= size;
  addConstants(facts, launch.arguments, description);
  if (description.isFirstVersion)
    addObjects(facts, launch, description);
  return facts;
}

bool hold(const abi::LaunchFacts& facts, const abi::LaunchFacts& known) {
  return (facts.localSize[0] == 0 || facts.localSize == known.localSize) &&
         (!facts.wholeGroups || known.wholeGroups) && (!facts.zeroOffset || known.zeroOffset) &&
         (facts.mostColumns == 0 ||
          (known.mostColumns != 0 && known.mostColumns <= facts.mostColumns)) &&
         (!facts.disjointMemory || known.disjointMemory) &&
         facts.storedBytes <= known.storedBytes && areAmong(facts.constants, known.constants) &&
         areAmong(facts.objects, known.objects);
}

bool areMore(const abi::LaunchFacts& facts, const abi::LaunchFacts& others) {
  return hold(others, facts) && !hold(facts, others);
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
  if (facts.mostColumns != 0)
    text += sentence(text.empty() ? " for " : ", and ", "up to ", facts.mostColumns,
                     " work-items in dimension 0");
  if (facts.disjointMemory)
    text += text.empty() ? " for disjoint buffers" : ", and disjoint buffers";
  if (facts.storedBytes != 0)
    text += sentence(text.empty() ? " for " : ", and ", facts.storedBytes, " bytes stored or more");
  for (const abi::KnownArgument& constant : facts.constants)
    text += sentence(text.empty() ? " for " : ", and ", constant.value, " as argument ",
                     constant.argument);
  if (!facts.objects.empty())
    text += sentence(text.empty() ? " for " : ", and ", "the kinds of ", facts.objects.size(),
                     " images and samplers");
  return text.empty() ? " for all launches" : text;
}

} // namespace quern::device
