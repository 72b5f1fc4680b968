#pragma once

#include <algorithm>
#include <cstdint>

namespace quern {

/// The bytes from `begin` up to `end`.
struct ByteRange {
  uint64_t begin = 0, end = 0;

  bool isEmpty() const { return begin >= end; }
  uint64_t bytes() const { return isEmpty() ? 0 : end - begin; }
  ByteRange intersection(const ByteRange& other) const {
    return {std::max(begin, other.begin), std::min(end, other.end)};
  }
  bool operator==(const ByteRange&) const = default;
};

} // namespace quern
