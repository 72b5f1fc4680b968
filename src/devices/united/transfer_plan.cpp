#include <algorithm>
#include <optional>

#include "devices/united/plan.h"

namespace quern::united {

namespace {

using device::Access;
using device::Place;

Plan failed() {
  return {.parts = {}, .status = CL_INVALID_OPERATION};
}

/// `place` in the memory of `member`, `bytes` further on.
Place on(uint32_t member, const Place& place, uint64_t bytes = 0) {
  Place moved = place;
  if (const UnitedAllocation* const allocation = UnitedAllocation::of(place))
    moved.allocation = &allocation->on(member);
  if (moved.allocation)
    moved.offset += bytes;
  else
    moved.host += bytes;
  return moved;
}

/// The rows of a box, from its first byte to its last.
ByteRange rangeOf(const Place& place, uint64_t rowPitch, uint64_t slicePitch,
                  const std::array<uint64_t, 3>& region) {
  const auto& [bytes, rows, slices] = region;
  if (bytes == 0 || rows == 0 || slices == 0)
    return {place.offset, place.offset};
  return {place.offset, place.offset + (slices - 1) * slicePitch + (rows - 1) * rowPitch + bytes};
}

/// Where the bytes of `place` are: several parts where they are of a united device.
std::vector<device::Replicas::Part> partsOf(const Place& place, uint64_t bytes,
                                            uint32_t preferred) {
  const UnitedAllocation* const allocation = UnitedAllocation::of(place);
  const ByteRange range = {place.offset, place.offset + bytes};
  if (!allocation)
    return {{preferred, range}};
  return allocation->replicas().find(range, preferred);
}

void addUse(std::vector<Use>& uses, const Place& place, Access access, ByteRange range) {
  if (UnitedAllocation* const allocation = UnitedAllocation::of(place);
      allocation && !range.isEmpty())
    uses.push_back({allocation, access, range});
}

/// Each member copies what is in its memory; what comes from the host goes to where such bytes were
/// last.
Plan planCopy(const device::Copy& copy) {
  Plan plan;
  const bool isFromHere = UnitedAllocation::of(copy.source);
  const Place& leading = isFromHere ? copy.source : copy.destination;
  for (const device::Replicas::Part& part : partsOf(leading, copy.bytes, 0)) {
    const uint64_t done = part.bytes.begin - leading.offset, bytes = part.bytes.bytes();
    PlannedPart planned = {.member = part.copy,
                           .work =
                               device::Copy{.source = on(part.copy, copy.source, done),
                                            .destination = on(part.copy, copy.destination, done),
                                            .bytes = bytes},
                           .uses = {}};
    const auto range = [&](const Place& place) {
      return ByteRange{place.offset + done, place.offset + done + bytes};
    };
    addUse(planned.uses, copy.source, Access::Read, range(copy.source));
    addUse(planned.uses, copy.destination, Access::Write, range(copy.destination));
    plan.parts.push_back(std::move(planned));
  }
  return plan;
}

/// The pattern begins anew in each part.
Plan planFill(const device::Fill& fill) {
  Plan plan;
  for (const device::Replicas::Part& part : partsOf(fill.destination, fill.bytes, 0)) {
    const uint64_t done = part.bytes.begin - fill.destination.offset;
    device::Fill own = fill;
    own.destination = on(part.copy, fill.destination, done);
    own.bytes = part.bytes.bytes();
    std::rotate(own.pattern.begin(), own.pattern.begin() + done % fill.patternBytes,
                own.pattern.begin() + fill.patternBytes);
    if (own.bytes % fill.patternBytes != 0)
      return {};
    PlannedPart planned = {.member = part.copy, .work = own, .uses = {}};
    addUse(planned.uses, fill.destination, Access::Write, part.bytes);
    plan.parts.push_back(std::move(planned));
  }
  return plan;
}

/// The member in whose memory most of `bytes` are.
uint32_t holderOf(const Members& members, const Place& place, ByteRange bytes) {
  const UnitedAllocation* const allocation = UnitedAllocation::of(place);
  uint32_t holder = 0;
  if (allocation)
    for (uint32_t member = 1; member < members.count(); ++member)
      if (allocation->replicas().missing(member, bytes) <
          allocation->replicas().missing(holder, bytes))
        holder = member;
  return holder;
}

/// One member does all of it; between the rows are bytes that others may have written.
Plan planCopyRect(const Members& members, const device::CopyRect& rect) {
  const ByteRange from =
      rangeOf(rect.source, rect.sourceRowPitch, rect.sourceSlicePitch, rect.region);
  const ByteRange to =
      rangeOf(rect.destination, rect.destinationRowPitch, rect.destinationSlicePitch, rect.region);
  const bool isFromHere = UnitedAllocation::of(rect.source);
  const uint32_t member =
      isFromHere ? holderOf(members, rect.source, from) : holderOf(members, rect.destination, to);
  device::CopyRect own = rect;
  own.source = on(member, rect.source);
  own.destination = on(member, rect.destination);
  PlannedPart planned = {.member = member, .work = own, .uses = {}};
  addUse(planned.uses, rect.source, Access::Read, from);
  addUse(planned.uses, rect.destination, Access::ReadWrite, to);
  return {.parts = {std::move(planned)}};
}

Plan planFillRect(const Members& members, const device::FillRect& fill) {
  const ByteRange to = rangeOf(fill.destination, fill.rowPitch, fill.slicePitch, fill.region);
  const uint32_t member = holderOf(members, fill.destination, to);
  device::FillRect own = fill;
  own.destination = on(member, fill.destination);
  PlannedPart planned = {.member = member, .work = own, .uses = {}};
  addUse(planned.uses, fill.destination, Access::ReadWrite, to);
  return {.parts = {std::move(planned)}};
}

/// Where parts do not end at whole patterns, one member fills all.
Plan planWholeFill(const Members& members, const device::Fill& fill) {
  const ByteRange to = {fill.destination.offset, fill.destination.offset + fill.bytes};
  const uint32_t member = holderOf(members, fill.destination, to);
  device::Fill own = fill;
  own.destination = on(member, fill.destination);
  PlannedPart planned = {.member = member, .work = own, .uses = {}};
  addUse(planned.uses, fill.destination, Access::Write, to);
  return {.parts = {std::move(planned)}};
}

/// Calls `function` with each place of `work`, and whether it is written.
template <typename Function> void forEachPlace(const device::Work& work, Function function) {
  const auto both = [&](const auto& copy) {
    function(copy.source, false);
    function(copy.destination, true);
  };
  if (const auto* const copy = std::get_if<device::Copy>(&work))
    both(*copy);
  else if (const auto* const rect = std::get_if<device::CopyRect>(&work))
    both(*rect);
  else if (const auto* const fill = std::get_if<device::Fill>(&work))
    function(fill->destination, true);
  else if (const auto* const box = std::get_if<device::FillRect>(&work))
    function(box->destination, true);
}

} // namespace

std::vector<OrderedUse> transferUses(const device::Work& work) {
  std::vector<OrderedUse> uses;
  forEachPlace(work, [&](const Place& place, bool writes) {
    if (const UnitedAllocation* const allocation = UnitedAllocation::of(place))
      addUse(uses, allocation, writes);
  });
  return uses;
}

Plan planTransfer(Members& members, const device::Work& work) {
  bool isPossible = true;
  forEachPlace(work, [&](const Place& place, bool) { isPossible &= isReached(place); });
  if (!isPossible)
    return failed();
  if (const auto* const copy = std::get_if<device::Copy>(&work))
    return planCopy(*copy);
  if (const auto* const rect = std::get_if<device::CopyRect>(&work))
    return planCopyRect(members, *rect);
  if (const auto* const fill = std::get_if<device::Fill>(&work)) {
    Plan plan = planFill(*fill);
    return plan.parts.empty() ? planWholeFill(members, *fill) : std::move(plan);
  }
  if (const auto* const box = std::get_if<device::FillRect>(&work))
    return planFillRect(members, *box);
  if (std::holds_alternative<device::Nothing>(work))
    return {};
  return failed();
}

} // namespace quern::united
