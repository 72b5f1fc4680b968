#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/sentence.h"
#include "devices/united/launch_split.h"
#include "devices/united/plan.h"
#include "devices/united/united_executable.h"

namespace quern::united {

namespace {

using abi::ArgumentKind;
using device::Access;

std::vector<Use> usesFrom(const MemoryUses& memory) {
  std::vector<Use> uses;
  for (const auto& [allocation, use] : memory) {
    // What is not known to be written in whole must be there before.
    for (const ByteRange& range : use.writes.all())
      uses.push_back({allocation, Access::ReadWrite, range});
    for (const ByteRange& range : use.reads.all())
      uses.push_back({allocation, Access::Read, range});
  }
  return uses;
}

/// `launch` as `member` runs it, with the places of its own memory.
device::LaunchKernel launchOn(uint32_t member, const device::LaunchKernel& launch,
                              const std::vector<ArgumentMemory>& memory) {
  const auto& executable = static_cast<const UnitedExecutable&>(*launch.executable);
  const abi::KernelDescription& kernel = executable.kernel(launch.kernel).description;
  device::LaunchKernel own = launch;
  own.executable = executable.on(member);
  // What is told to checks behind the arguments is of addresses that no member has.
  own.arguments.assign({launch.arguments.data(), kernel.argumentBlockBytes});
  for (const ArgumentMemory& one : memory) {
    const abi::KernelArgument& argument = kernel.arguments[one.argument];
    uint64_t value = 0;
    std::memcpy(&value, launch.arguments.data() + argument.offset, sizeof(value));
    value = argument.kind == ArgumentKind::Image
                ? UnitedImage::of(value)->handleOn(member)
                : one.allocation->on(member).address() + one.offset;
    std::memcpy(own.arguments.data() + argument.offset, &value, sizeof(value));
  }
  return own;
}

/// Where least must be brought: mostly where the launch before left its results.
uint32_t memberFor(const Members& members, const std::vector<Use>& uses) {
  uint32_t best = 0;
  uint64_t least = UINT64_MAX;
  for (uint32_t member = 0; member < members.count(); ++member) {
    uint64_t missing = 0;
    for (const Use& use : uses)
      missing += use.allocation->replicas().missing(member, use.bytes);
    if (missing < least) {
      least = missing;
      best = member;
    }
  }
  return best;
}

/// In one piece, because of `why`.
Plan planWhole(Members& members, const device::LaunchKernel& launch,
               const std::vector<ArgumentMemory>& memory, const std::string& why) {
  const abi::KernelDescription& kernel =
      static_cast<const UnitedExecutable&>(*launch.executable).kernel(launch.kernel).description;
  if (members.report.isOn())
    members.report.add(kernel.name, sentence("stays on one device: ", why));
  std::vector<Use> uses = usesFrom(usesOfGroups(launch, memory, launch.groups));
  // Each member has variables of its own.
  const uint32_t member =
      kernel.footprint.tie == abi::FootprintTie::Variable ? 0 : memberFor(members, uses);
  return {.parts = {{member, launchOn(member, launch, memory), std::move(uses)}}};
}

std::string describe(const Split& split, const Shares& shares) {
  std::string parts;
  for (const double part : shares.parts())
    parts += sentence(parts.empty() ? "" : " : ", std::lround(part * 100), " %");
  return sentence("is split along dimension ", split.dimension, ", ", parts);
}

/// What the times of a launch, of which each member had a part, say for the next ones.
void learn(Members& members, UnitedKernel& kernel, const Shares& shares,
           std::span<const double> nanoseconds) {
  members.pace.note(std::ranges::max(nanoseconds));
  auto own = kernel.shares.lock();
  if (own->isEmpty())
    *own = shares;
  // Another launch may have changed them meanwhile.
  if (std::ranges::equal(own->parts(), shares.parts()))
    own->learn(nanoseconds);
  *members.shares.lock() = *own;
}

Plan planParts(Members& members, const device::LaunchKernel& launch,
               const std::vector<ArgumentMemory>& memory, Split split, Shares shares) {
  Plan plan;
  for (uint32_t member = 0; member < members.count(); ++member) {
    const device::GroupRange& groups = split.groups[member];
    if (groups.begin[split.dimension] == groups.end[split.dimension])
      continue;
    device::LaunchKernel own = launchOn(member, launch, memory);
    own.groups = groups;
    plan.parts.push_back({member, std::move(own), usesFrom(split.uses[member])});
  }
  if (plan.parts.size() == members.count())
    plan.ended = [&members, executable = launch.executable, index = launch.kernel,
                  shares = std::move(shares)](std::span<const double> nanoseconds) {
      learn(members, static_cast<const UnitedExecutable&>(*executable).kernel(index), shares,
            nanoseconds);
    };
  return plan;
}

} // namespace

std::vector<OrderedUse> launchUses(const Members& members, const device::LaunchKernel& launch) {
  std::vector<OrderedUse> uses;
  for (const ArgumentMemory& one : memoryOf(members, launch))
    addUse(uses, one.allocation, mayWrite(launch, one.argument));
  return uses;
}

Plan planLaunch(Members& members, const device::LaunchKernel& launch) {
  UnitedKernel& kernel =
      static_cast<const UnitedExecutable&>(*launch.executable).kernel(launch.kernel);
  const std::vector<ArgumentMemory> memory = memoryOf(members, launch);
  if (kernel.description.footprint.tie == abi::FootprintTie::None && members.pace.isTooShort()) {
    Plan plan = planWhole(members, launch, memory, "launches take too little time to be split");
    plan.ended = [&pace = members.pace](std::span<const double> nanoseconds) {
      pace.note(nanoseconds.front());
    };
    return plan;
  }
  Shares shares = *kernel.shares.lock();
  if (shares.isEmpty())
    shares = *members.shares.lock();
  Split split = splitLaunch(launch, memory, shares);
  if (split.groups.empty())
    return planWhole(members, launch, memory, split.whyNot);
  if (members.report.isOn())
    members.report.add(kernel.description.name, describe(split, shares));
  return planParts(members, launch, memory, std::move(split), std::move(shares));
}

} // namespace quern::united
