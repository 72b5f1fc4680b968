#include "devices/united/plan.h"

#include <algorithm>

namespace quern::united {

void addUse(std::vector<OrderedUse>& uses, const device::Allocation* allocation, bool writes) {
  const auto known = std::ranges::find(uses, allocation, &OrderedUse::allocation);
  if (known == uses.end())
    uses.push_back({allocation, writes});
  else
    known->writes |= writes;
}

std::vector<OrderedUse> usesOf(const Members& members, const device::Work& work) {
  if (const auto* const launch = std::get_if<device::LaunchKernel>(&work))
    return launchUses(members, *launch);
  return transferUses(work);
}

Plan plan(Members& members, const device::Work& work) {
  if (const auto* const launch = std::get_if<device::LaunchKernel>(&work))
    return planLaunch(members, *launch);
  return planTransfer(members, work);
}

} // namespace quern::united
