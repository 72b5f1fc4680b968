#include "device/footprint.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <optional>

namespace quern::device {

namespace {

using abi::FootprintOperation;
using abi::FootprintStep;
using enum abi::FootprintOperation;
using Wide = __int128;

/// Signed numbers from `low` up to `high`; none where `high` is smaller.
struct Range {
  int64_t low = 0, high = 0;

  bool isEmpty() const { return low > high; }
};

constexpr Range allOf(unsigned bits) {
  const int64_t most = bits == 64 ? INT64_MAX : (int64_t{1} << (bits - 1)) - 1;
  return {-most - 1, most};
}

Range fitted(Wide low, Wide high, unsigned bits) {
  const Range all = allOf(bits);
  if (low < all.low || high > all.high)
    return all; // It may wrap.
  return {static_cast<int64_t>(low), static_cast<int64_t>(high)};
}

/// As unsigned numbers of `bits` bits.
struct UnsignedRange {
  uint64_t low = 0, high = 0;
};

UnsignedRange unsignedOf(Range range, unsigned bits) {
  const uint64_t mask = bits == 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
  if (range.low < 0 && range.high >= 0)
    return {0, mask};
  return {static_cast<uint64_t>(range.low) & mask, static_cast<uint64_t>(range.high) & mask};
}

Range fromUnsigned(UnsignedRange range, unsigned bits) {
  return fitted(range.low, range.high, bits);
}

Range product(Range a, Range b, unsigned bits) {
  const std::array<Wide, 4> corners = {Wide{a.low} * b.low, Wide{a.low} * b.high,
                                       Wide{a.high} * b.low, Wide{a.high} * b.high};
  const auto [low, high] = std::ranges::minmax(corners);
  return fitted(low, high, bits);
}

Range signedQuotient(Range a, Range b, unsigned bits) {
  if (b.low <= 0)
    return allOf(bits);
  const std::array<Wide, 4> corners = {Wide{a.low} / b.low, Wide{a.low} / b.high,
                                       Wide{a.high} / b.low, Wide{a.high} / b.high};
  const auto [low, high] = std::ranges::minmax(corners);
  return fitted(low, high, bits);
}

Range unsignedQuotient(Range a, Range b, unsigned bits) {
  const UnsignedRange over = unsignedOf(a, bits), by = unsignedOf(b, bits);
  if (by.low == 0)
    return allOf(bits);
  return fromUnsigned({over.low / by.high, over.high / by.low}, bits);
}

Range unsignedRemainder(Range a, Range b, unsigned bits) {
  const UnsignedRange over = unsignedOf(a, bits), by = unsignedOf(b, bits);
  if (by.low == 0)
    return allOf(bits);
  if (over.high < by.low)
    return a;
  return fromUnsigned({0, std::min(over.high, by.high - 1)}, bits);
}

Range signedRemainder(Range a, Range b, unsigned bits) {
  if (b.low <= 0)
    return allOf(bits);
  if (a.low >= 0 && a.high < b.low)
    return a;
  const int64_t most = b.high - 1;
  return {a.low < 0 ? std::max(-most, a.low) : 0, a.high > 0 ? std::min(most, a.high) : 0};
}

/// Of at least one that is not negative.
Range conjunction(Range a, Range b, unsigned bits) {
  if (a.low < 0 && b.low < 0)
    return allOf(bits);
  if (a.low < 0 || b.low < 0)
    return {0, a.low < 0 ? b.high : a.high};
  return {0, std::min(a.high, b.high)};
}

Range shifted(FootprintOperation operation, Range a, Range b, unsigned bits) {
  if (b.low < 0 || b.high >= static_cast<int64_t>(bits) || b.high > 62)
    return allOf(bits);
  if (operation == ShiftLeft)
    return product(a, {int64_t{1} << b.low, int64_t{1} << b.high}, bits);
  if (operation == ShiftRightArithmetic)
    return {a.low >> (a.low < 0 ? b.low : b.high), a.high >> (a.high < 0 ? b.high : b.low)};
  const UnsignedRange number = unsignedOf(a, bits);
  return fromUnsigned({number.low >> b.high, number.high >> b.low}, bits);
}

Range leastUnsigned(Range a, Range b, unsigned bits) {
  const UnsignedRange x = unsignedOf(a, bits), y = unsignedOf(b, bits);
  return fromUnsigned({std::min(x.low, y.low), std::min(x.high, y.high)}, bits);
}

Range greatestUnsigned(Range a, Range b, unsigned bits) {
  const UnsignedRange x = unsignedOf(a, bits), y = unsignedOf(b, bits);
  return fromUnsigned({std::max(x.low, y.low), std::max(x.high, y.high)}, bits);
}

Range limitedUnsigned(FootprintOperation operation, Range a, Range limit) {
  if (operation == AtLeastUnsigned)
    return a.low < 0 || limit.low < 0 ? a : Range{std::max(a.low, limit.low), a.high};
  return limit.low < 0 ? a : Range{std::max<int64_t>(a.low, 0), std::min(a.high, limit.high)};
}

Range combined(FootprintOperation operation, Range a, Range b, unsigned bits) {
  switch (operation) {
  case Add:
    return fitted(Wide{a.low} + b.low, Wide{a.high} + b.high, bits);
  case Subtract:
    return fitted(Wide{a.low} - b.high, Wide{a.high} - b.low, bits);
  case Multiply:
    return product(a, b, bits);
  case DivideUnsigned:
    return unsignedQuotient(a, b, bits);
  case DivideSigned:
    return signedQuotient(a, b, bits);
  case RemainderUnsigned:
    return unsignedRemainder(a, b, bits);
  case RemainderSigned:
    return signedRemainder(a, b, bits);
  case And:
    return conjunction(a, b, bits);
  case ShiftLeft:
  case ShiftRightLogical:
  case ShiftRightArithmetic:
    return shifted(operation, a, b, bits);
  case LeastSigned:
    return {std::min(a.low, b.low), std::min(a.high, b.high)};
  case GreatestSigned:
    return {std::max(a.low, b.low), std::max(a.high, b.high)};
  case LeastUnsigned:
    return leastUnsigned(a, b, bits);
  case GreatestUnsigned:
    return greatestUnsigned(a, b, bits);
  case Either:
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
  case AtMost:
    return {a.low, std::min(a.high, b.high)};
  case AtLeast:
    return {std::max(a.low, b.low), a.high};
  default:
    return limitedUnsigned(operation, a, b);
  }
}

/// Work-groups of one size in each dimension.
struct Block {
  std::array<Range, 3> groups;
  std::array<uint64_t, 3> size;
};

class Evaluation {
public:
  Evaluation(const abi::KernelDescription& description, const LaunchKernel& launch)
      : description_(description), launch_(launch) {}

  /// Nothing where no work-item makes the access.
  std::optional<Range> offset(const abi::FootprintAccess& access, const Block& block) {
    size_t depth = 0;
    for (const FootprintStep& step : access.offset) {
      if (step.operation <= WorkDim) {
        stack_[depth++] = leaf(step, block);
      } else if (step.operation == Drop) {
        --depth;
        continue;
      } else if (step.operation <= ZeroExtend) {
        stack_[depth - 1] = converted(step, stack_[depth - 1]);
      } else {
        --depth;
        stack_[depth - 1] = combined(step.operation, stack_[depth - 1], stack_[depth], step.bits);
      }
      if (stack_[depth - 1].isEmpty())
        return std::nullopt;
    }
    return stack_[0];
  }

private:
  Range leaf(const FootprintStep& step, const Block& block) const {
    const NdRange& range = launch_.range;
    const auto one = [&](uint64_t number) { return fitted(number, number, step.bits); };
    const auto dimension = static_cast<size_t>(step.value);
    switch (step.operation) {
    case Constant:
      return {step.value, step.value};
    case Argument:
      return argument(step);
    case Group:
      return block.groups[dimension];
    case Size:
      return one(block.size[dimension]);
    case First: {
      const Range groups = block.groups[dimension];
      const Wide offset = range.offset[dimension], local = range.local[dimension];
      return fitted(offset + groups.low * local, offset + groups.high * local, step.bits);
    }
    case Item:
      return {0, static_cast<int64_t>(block.size[dimension]) - 1};
    case Offset:
      return one(range.offset[dimension]);
    case GlobalSize:
      return one(range.global[dimension]);
    case LocalSize:
      return one(range.local[dimension]);
    case GroupCount:
      return one(range.groupCount(dimension));
    case WorkDim:
      return one(range.workDim);
    default:
      return allOf(step.bits);
    }
  }

  Range argument(const FootprintStep& step) const {
    const auto index = static_cast<uint64_t>(step.value) & 0xffff;
    const auto byte = static_cast<uint64_t>(step.value) >> 16;
    uint64_t bits = 0;
    std::memcpy(&bits, launch_.arguments.data() + description_.arguments[index].offset + byte,
                step.bits / 8);
    const unsigned above = 64 - step.bits;
    const auto number = static_cast<int64_t>(bits << above) >> above;
    return {number, number};
  }

  static Range converted(const FootprintStep& step, Range range) {
    if (step.operation == Truncate)
      return fitted(range.low, range.high, step.bits);
    const auto from = step.operation == ZeroExtend ? static_cast<unsigned>(step.value) : step.bits;
    const UnsignedRange number = unsignedOf(range, from);
    return fromUnsigned({step.operation == UpTo ? 0 : number.low, number.high}, step.bits);
  }

  const abi::KernelDescription& description_;
  const LaunchKernel& launch_;
  std::array<Range, abi::footprintStack> stack_;
};

/// The work-groups of one dimension, those of the full size apart from a smaller last one.
std::vector<std::pair<Range, uint64_t>> sizesIn(size_t dimension, const NdRange& range,
                                                const GroupRange& groups) {
  const uint64_t count = range.groupCount(dimension), local = range.local[dimension];
  const uint64_t begin = groups.begin[dimension], end = std::min(groups.end[dimension], count);
  const uint64_t whole = std::min(end, range.global[dimension] / local);
  std::vector<std::pair<Range, uint64_t>> sizes;
  if (begin < whole)
    sizes.push_back({{static_cast<int64_t>(begin), static_cast<int64_t>(whole) - 1}, local});
  if (whole < end && begin < end)
    sizes.push_back({{static_cast<int64_t>(end) - 1, static_cast<int64_t>(end) - 1},
                     range.global[dimension] % local});
  return sizes;
}

std::vector<Block> blocksOf(const NdRange& range, const GroupRange& groups) {
  std::vector<Block> blocks;
  for (const auto& [x, sizeX] : sizesIn(0, range, groups))
    for (const auto& [y, sizeY] : sizesIn(1, range, groups))
      for (const auto& [z, sizeZ] : sizesIn(2, range, groups))
        blocks.push_back({{x, y, z}, {sizeX, sizeY, sizeZ}});
  return blocks;
}

ArgumentBytes anyOf(const abi::FootprintAccess& access) {
  return {access.argument, access.reads, access.writes, INT64_MIN, INT64_MAX};
}

} // namespace

std::vector<ArgumentBytes> bytesOf(const abi::KernelDescription& description,
                                   const LaunchKernel& launch, const GroupRange& groups) {
  std::vector<ArgumentBytes> all;
  Evaluation evaluation(description, launch);
  const std::vector<Block> blocks = blocksOf(launch.range, groups);
  for (const abi::FootprintAccess& access : description.footprint.accesses) {
    if (access.offset.empty()) {
      all.push_back(anyOf(access));
      continue;
    }
    std::optional<Range> offsets;
    for (const Block& block : blocks)
      if (const std::optional<Range> here = evaluation.offset(access, block))
        offsets = offsets ? combined(Either, *offsets, *here, 64) : *here;
    if (!offsets)
      continue;
    const Range any = allOf(64);
    ArgumentBytes bytes = anyOf(access);
    if (offsets->low != any.low && offsets->high < any.high - access.bytes) {
      bytes.begin = offsets->low;
      bytes.end = offsets->high + access.bytes;
    }
    all.push_back(bytes);
  }
  return all;
}

} // namespace quern::device
