#include "runtime/specialisation_choice.h"

#include <algorithm>

#include "base/config.h"
#include "device/launch_facts.h"

namespace quern::runtime {

namespace {

/// Specialisations of one kernel. The last one can run all launches.
constexpr size_t mostSpecialisations = 4;
/// The same of a kernel with images or samplers: code for any kind of them takes an order of
/// magnitude longer than code for the kind at hand.
constexpr size_t mostForObjects = 16;
/// How many of them may rely on values of arguments; after how many launches in a row with the same
/// values they are made, and after how many changes never again.
constexpr size_t mostWithConstants = 2;
constexpr uint32_t enoughRepetitions = 8, mostChanges = 16;
/// KernelDescription::flatDimensions of kernels that cannot see their work-groups at all. Most that
/// can do so not in dimension 2.
constexpr uint32_t everyDimension = 7;
/// Different facts of launches for which the cache is asked.
constexpr size_t mostSeen = mostForObjects;

size_t mostFor(const abi::LaunchFacts& facts) {
  return !facts.objects.empty() ? mostForObjects : mostSpecialisations;
}

bool haveSameConstants(const abi::LaunchFacts& a, const abi::LaunchFacts& b) {
  return a.constants == b.constants;
}

} // namespace

bool specialisationsAreWantedNow() {
  return config().get(Option::Variants) == "now";
}

abi::LaunchFacts withoutConstants(abi::LaunchFacts facts) {
  facts.constants.clear();
  return facts;
}

/// Where nothing depends on where work-groups begin and end, their size is of no use; nor is an
/// offset that makes no difference.
SpecialisationChoice::Uses SpecialisationChoice::usesOf(const abi::LaunchFacts& facts,
                                                        const abi::KernelDescription& description,
                                                        uint64_t streamBytes) const {
  return {.constants = !ignoresConstants_.load(std::memory_order_relaxed),
          .groups = description.flatDimensions != everyDimension,
          .offset = description.seesOffset,
          .stores = facts.storedBytes >= streamBytes && facts.disjointMemory};
}

/// Tells useful facts of neighbouring launches apart, at next to no cost. Never 0.
uint64_t SpecialisationChoice::markOf(const abi::LaunchFacts& facts, const Uses& uses) {
  constexpr unsigned bitsEach = 20;
  uint64_t mark = 0;
  if (uses.groups) {
    const auto& [x, y, z] = facts.localSize;
    mark = (x << bitsEach ^ y) << bitsEach ^ z;
  }
  if (uses.constants)
    for (const abi::KnownArgument& constant : facts.constants)
      mark =
          (mark ^ static_cast<uint64_t>(constant.value) ^ constant.argument) * 0x9e3779b97f4a7c15;
  for (const abi::KnownArgument& object : facts.objects)
    mark = (mark ^ static_cast<uint64_t>(object.value) ^ object.argument) * 0xbf58476d1ce4e5b9;
  mark = mark * 0x94d049bb133111eb ^ facts.mostColumns;
  for (const bool fact : {uses.groups && facts.wholeGroups, uses.offset && facts.zeroOffset,
                          facts.disjointMemory, uses.stores, true})
    mark = mark << 1 | uint64_t{fact};
  return mark;
}

abi::LaunchFacts SpecialisationChoice::usefulFacts(const abi::LaunchFacts& known,
                                                   const abi::KernelDescription& description,
                                                   uint64_t streamBytes) const {
  const Uses uses = usesOf(known, description, streamBytes);
  abi::LaunchFacts facts = uses.constants ? known : withoutConstants(known);
  if (!uses.groups) {
    facts.localSize = {0, 0, 0};
    facts.wholeGroups = false;
  }
  if (!uses.offset)
    facts.zeroOffset = false;
  facts.storedBytes = uses.stores ? streamBytes : 0;
  return facts;
}

bool SpecialisationChoice::isSettled(const abi::LaunchFacts& facts,
                                     const abi::KernelDescription& description,
                                     uint64_t streamBytes) const {
  return settled_.load(std::memory_order_relaxed) ==
         markOf(facts, usesOf(facts, description, streamBytes));
}

SpecialisationChoice::Worth SpecialisationChoice::worthOfConstants(Known& known,
                                                                   const abi::LaunchFacts& facts) {
  if (haveSameConstants(known.last, facts)) {
    ++known.repeated;
  } else {
    known.repeated = 1;
    ++known.changes;
  }
  known.last = facts;
  const auto withConstants = static_cast<size_t>(
      std::ranges::count_if(known.made, [](const auto& made) { return !made.constants.empty(); }));
  if (known.changes > mostChanges || withConstants >= mostWithConstants ||
      known.made.size() + 1 >= mostFor(facts)) {
    ignoresConstants_.store(true, std::memory_order_relaxed);
    return Worth::No;
  }
  if (specialisationsAreWantedNow())
    return Worth::Yes;
  // A kernel that took long has a specialisation by now.
  const bool isLong = std::ranges::any_of(known.made, [&](const auto& made) {
    return made.constants.empty() && device::hold(made, facts);
  });
  if (!isLong)
    return Worth::No;
  return known.repeated >= enoughRepetitions ? Worth::Yes : Worth::NotYet;
}

SpecialisationChoice::Wanted SpecialisationChoice::consider(const abi::LaunchFacts& facts) {
  return known_.with([&](Known& known) {
    const Worth worth = !facts.constants.empty() ? worthOfConstants(known, facts) : Worth::No;
    const Uses all = {
        .constants = true, .groups = true, .offset = true, .stores = facts.storedBytes != 0};
    settled_.store(worth == Worth::NotYet ? 0 : markOf(facts, all), std::memory_order_relaxed);
    const bool isNew =
        known.seen.size() < mostSeen && std::ranges::find(known.seen, facts) == known.seen.end();
    if (isNew)
      known.seen.push_back(facts);
    return Wanted{isNew, worth == Worth::Yes};
  });
}

bool SpecialisationChoice::isMade(const abi::LaunchFacts& facts) {
  return known_.with([&](Known& known) {
    return known.made.size() >= mostFor(facts) ||
           std::ranges::any_of(known.made, [&](const abi::LaunchFacts& made) {
             return device::hold(made, facts) && haveSameConstants(made, facts) &&
                    made.storedBytes == facts.storedBytes;
           });
  });
}

bool SpecialisationChoice::lacksStreaming(const abi::LaunchFacts& facts) {
  return facts.storedBytes != 0 && known_.with([](Known& known) { return !known.made.empty(); }) &&
         !isMade(facts);
}

abi::LaunchFacts SpecialisationChoice::within(const abi::LaunchFacts& facts) {
  const bool isLast =
      known_.with([&](Known& known) { return known.made.size() + 1 == mostFor(facts); });
  return isLast ? abi::LaunchFacts() : facts;
}

void SpecialisationChoice::noteMade(const abi::LaunchFacts& facts) {
  known_.with([&](Known& known) { known.made.push_back(facts); });
  // Now it may be worth it to rely on more.
  settled_.store(0, std::memory_order_relaxed);
}

} // namespace quern::runtime
