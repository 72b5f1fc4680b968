#include "devices/united/launch_split.h"

#include <algorithm>
#include <cstring>

#include "base/sentence.h"
#include "device/footprint.h"
#include "devices/united/united_executable.h"

namespace quern::united {

namespace {

using abi::ArgumentKind;
using abi::FootprintTie;

const abi::KernelDescription& descriptionOf(const device::LaunchKernel& launch) {
  return static_cast<const UnitedExecutable&>(*launch.executable).kernel(launch.kernel).description;
}

/// Whether the footprint has all accesses of the kernel.
bool isComplete(const abi::Footprint& footprint) {
  return footprint.tie == FootprintTie::None || footprint.tie == FootprintTie::Atomic ||
         footprint.tie == FootprintTie::Volatile || footprint.tie == FootprintTie::Variable;
}

/// From where an argument points to on, what there is of the range.
ByteRange rangeIn(const ArgumentMemory& memory, const device::ArgumentBytes& bytes) {
  const uint64_t size = memory.allocation->bytes();
  if (bytes.isAny())
    return {0, size};
  const auto place = [&](int64_t offset) -> uint64_t {
    const __int128 at = static_cast<__int128>(memory.offset) + offset;
    return at < 0 ? 0 : at > static_cast<__int128>(size) ? size : static_cast<uint64_t>(at);
  };
  return {place(bytes.begin), place(bytes.end)};
}

void add(MemoryUse& use, bool reads, bool writes, ByteRange range) {
  if (reads)
    use.reads.add(range);
  if (writes)
    use.writes.add(range);
}

bool overlap(const ByteRanges& a, const ByteRanges& b) {
  return std::ranges::any_of(a.all(),
                             [&](const ByteRange& range) { return !b.within(range).empty(); });
}

/// The allocation of which one part writes what another one reads or writes; null where none does.
UnitedAllocation* conflict(const std::vector<MemoryUses>& parts) {
  for (const MemoryUses& writer : parts)
    for (const auto& [allocation, written] : writer)
      for (const MemoryUses& other : parts)
        if (const auto found = other.find(allocation);
            &other != &writer && found != other.end() &&
            (overlap(written.writes, found->second.writes) ||
             overlap(written.writes, found->second.reads)))
          return allocation;
  return nullptr;
}

std::string whyTogether(const device::LaunchKernel& launch,
                        const std::vector<ArgumentMemory>& memory, UnitedAllocation* allocation,
                        bool isWhole) {
  const auto found = std::ranges::find(memory, allocation, &ArgumentMemory::allocation);
  const abi::KernelArgument& argument = descriptionOf(launch).arguments[found->argument];
  const std::string name =
      argument.name.empty() ? std::string() : sentence(" ('", argument.name, "')");
  return sentence("its work-groups may write the same bytes of argument ", found->argument, name,
                  isWhole ? ", where, is not known before it runs"
                          : ", or one what another one reads");
}

} // namespace

bool mayWrite(const device::LaunchKernel& launch, uint32_t index) {
  const abi::KernelDescription& kernel = descriptionOf(launch);
  const abi::KernelArgument& argument = kernel.arguments[index];
  if (isComplete(kernel.footprint))
    return std::ranges::any_of(kernel.footprint.accesses, [&](const auto& access) {
      return access.writes && access.argument == index;
    });
  if (argument.kind == ArgumentKind::Image)
    return argument.accessQualifier != CL_KERNEL_ARG_ACCESS_READ_ONLY;
  return argument.kind != ArgumentKind::Constant;
}

std::vector<ArgumentMemory> memoryOf(const Members& members, const device::LaunchKernel& launch) {
  std::vector<ArgumentMemory> all;
  const abi::KernelDescription& kernel = descriptionOf(launch);
  for (uint32_t index = 0; index < kernel.arguments.size(); ++index) {
    const abi::KernelArgument& argument = kernel.arguments[index];
    const bool isPointer = argument.kind == ArgumentKind::Global ||
                           argument.kind == ArgumentKind::Constant ||
                           argument.kind == ArgumentKind::Pipe;
    if (!isPointer && argument.kind != ArgumentKind::Image)
      continue;
    uint64_t value = 0;
    std::memcpy(&value, launch.arguments.data() + argument.offset, sizeof(value));
    if (!isPointer) {
      if (const UnitedImage* const image = UnitedImage::of(value))
        all.push_back({index, &image->allocation(), 0});
    } else if (UnitedAllocation* const allocation = members.addresses.find(value)) {
      all.push_back({index, allocation, value - allocation->address()});
    }
  }
  return all;
}

MemoryUses usesOfGroups(const device::LaunchKernel& launch,
                        const std::vector<ArgumentMemory>& memory,
                        const device::GroupRange& groups) {
  MemoryUses uses;
  const abi::KernelDescription& kernel = descriptionOf(launch);
  if (!isComplete(kernel.footprint)) {
    for (const ArgumentMemory& one : memory)
      add(uses[one.allocation], true, mayWrite(launch, one.argument), {0, one.allocation->bytes()});
    return uses;
  }
  for (const device::ArgumentBytes& bytes : device::bytesOf(kernel, launch, groups)) {
    const auto found = std::ranges::find(memory, bytes.argument, &ArgumentMemory::argument);
    if (found == memory.end())
      continue;
    MemoryUse& use = uses[found->allocation];
    add(use, bytes.reads, bytes.writes, rangeIn(*found, bytes));
    use.isWhole |= bytes.writes && bytes.isAny();
  }
  return uses;
}

Split splitLaunch(const device::LaunchKernel& launch, const std::vector<ArgumentMemory>& memory,
                  const Shares& shares) {
  const abi::Footprint& footprint = descriptionOf(launch).footprint;
  if (footprint.tie != FootprintTie::None)
    return {.whyNot = sentence("it has ", abi::describe(footprint.tie))};
  Split split = {.whyNot = "it has fewer work-groups than there are devices"};
  for (size_t dimension = launch.range.workDim; dimension-- > 0;) {
    const uint64_t count = launch.range.groupCount(dimension);
    if (count < shares.parts().size())
      continue;
    split.dimension = dimension;
    const std::vector<uint64_t> begins = shares.split(count);
    for (size_t part = 0; part + 1 < begins.size(); ++part) {
      device::GroupRange& groups = split.groups.emplace_back();
      groups.begin[dimension] = begins[part];
      groups.end[dimension] = begins[part + 1];
      split.uses.push_back(begins[part] == begins[part + 1] ? MemoryUses()
                                                            : usesOfGroups(launch, memory, groups));
    }
    UnitedAllocation* const contested = conflict(split.uses);
    if (!contested)
      return split;
    const bool isWhole =
        std::ranges::any_of(split.uses, [&](MemoryUses& uses) { return uses[contested].isWhole; });
    split = {.whyNot = whyTogether(launch, memory, contested, isWhole)};
  }
  return split;
}

} // namespace quern::united
