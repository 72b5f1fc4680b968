#include "base/byte_ranges.h"

#include <algorithm>

namespace quern {

void ByteRanges::add(ByteRange range) {
  if (range.isEmpty())
    return;
  // What overlaps or touches the new range becomes a part of it.
  auto next = ends_.upper_bound(range.begin);
  if (next != ends_.begin() && std::prev(next)->second >= range.begin)
    --next;
  while (next != ends_.end() && next->first <= range.end) {
    range = {std::min(range.begin, next->first), std::max(range.end, next->second)};
    next = ends_.erase(next);
  }
  ends_.emplace_hint(next, range.begin, range.end);
}

void ByteRanges::remove(ByteRange range) {
  for (const ByteRange& part : within(range)) {
    const auto whole = std::prev(ends_.upper_bound(part.begin));
    const ByteRange before = {whole->first, part.begin}, after = {part.end, whole->second};
    ends_.erase(whole);
    if (!before.isEmpty())
      ends_.emplace(before.begin, before.end);
    if (!after.isEmpty())
      ends_.emplace(after.begin, after.end);
  }
}

bool ByteRanges::contains(ByteRange range) const {
  if (range.isEmpty())
    return true;
  const auto next = ends_.upper_bound(range.begin);
  return next != ends_.begin() && std::prev(next)->second >= range.end;
}

std::vector<ByteRange> ByteRanges::within(ByteRange range) const {
  std::vector<ByteRange> parts;
  auto next = ends_.upper_bound(range.begin);
  if (next != ends_.begin())
    --next;
  for (; next != ends_.end() && next->first < range.end; ++next)
    if (const ByteRange part = range.intersection({next->first, next->second}); !part.isEmpty())
      parts.push_back(part);
  return parts;
}

std::vector<ByteRange> ByteRanges::missing(ByteRange range) const {
  std::vector<ByteRange> gaps;
  for (const ByteRange& part : within(range)) {
    if (part.begin > range.begin)
      gaps.push_back({range.begin, part.begin});
    range.begin = part.end;
  }
  if (!range.isEmpty())
    gaps.push_back(range);
  return gaps;
}

} // namespace quern
