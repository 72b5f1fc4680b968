#include "devices/united/member_choice.h"

#include <ranges>

#include "base/parse_number.h"
#include "base/sentence.h"

namespace quern::united {

namespace {

using Devices = std::vector<Ref<device::Device>>;

Status noSense(std::string_view which, std::string_view part) {
  return Status::error(CL_INVALID_VALUE,
                       sentence("QUERN_UNITE is '", which, "', of which '", part,
                                "' is none of all, halves and the name of a backend, with /N or "
                                "/numa behind it or not"));
}

/// The parts of `device` that `how` says, "4" or "numa".
Result<Devices> partsOf(device::Device& device, std::string_view how) {
  if (how == "numa")
    return device.partition({.kind = device::PartitionKind::ByAffinityDomain,
                             .domain = CL_DEVICE_AFFINITY_DOMAIN_NUMA});
  uint32_t count = 0;
  if (!parseNumber(how, count) || count == 0)
    return Status::error(CL_INVALID_VALUE,
                         sentence("'", how, "' is neither a number of parts nor numa"));
  const uint32_t units = device.caps().computeUnits;
  if (count == 1 || units < count)
    return Status::error(
        CL_DEVICE_PARTITION_FAILED,
        sentence("a device of ", units, " compute units has no ", count, " equal parts to unite"));
  return device.partition({.kind = device::PartitionKind::ByCounts,
                           .counts = std::vector<uint32_t>(count, units / count)});
}

} // namespace

Result<Devices> chooseMembers(std::string_view which,
                              std::span<const device::NamedDevice> devices) {
  Devices members;
  for (const auto& range : std::views::split(which, '+')) {
    std::string_view part(range.begin(), range.end());
    if (part == "halves")
      part = "cpu/2";
    const size_t slash = part.find('/');
    const std::string_view name = part.substr(0, slash);
    const size_t before = members.size();
    for (const device::NamedDevice& device : devices) {
      if (name != "all" && name != device.backend)
        continue;
      if (slash == part.npos) {
        members.push_back(device.device);
        continue;
      }
      QUERN_ASSIGN(Devices parts, partsOf(*device.device, part.substr(slash + 1)));
      members.insert(members.end(), parts.begin(), parts.end());
    }
    if (members.size() == before)
      return noSense(which, part);
  }
  return members;
}

} // namespace quern::united
