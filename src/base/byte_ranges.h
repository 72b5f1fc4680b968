#pragma once

#include <map>
#include <vector>

#include "base/byte_range.h"

namespace quern {

/// A set of bytes, as ranges that neither overlap nor touch.
class ByteRanges {
public:
  void add(ByteRange range);
  void remove(ByteRange range);
  bool contains(ByteRange range) const;
  /// The parts of `range` that are in the set, or those that are not, in ascending order.
  std::vector<ByteRange> within(ByteRange range) const;
  std::vector<ByteRange> missing(ByteRange range) const;
  std::vector<ByteRange> all() const { return within({0, UINT64_MAX}); }
  bool isEmpty() const { return ends_.empty(); }

private:
  /// The end of each range, by its begin.
  std::map<uint64_t, uint64_t> ends_;
};

} // namespace quern
