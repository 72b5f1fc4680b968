#include "devices/cpu/checks/access_history.h"

namespace quern::cpu {

namespace {

constexpr unsigned siteBits = 48, maskBits = 4;
constexpr uint64_t siteMask = (uint64_t{1} << siteBits) - 1;
constexpr uint64_t atomicBit = uint64_t{1} << (siteBits + maskBits);
/// Other work-items have made such an access, too.
constexpr uint64_t severalBit = atomicBit << 1;

constexpr uint8_t maskOf(uint64_t bits) {
  return bits >> siteBits & ((1u << maskBits) - 1);
}

} // namespace

AccessHistory::Mark AccessHistory::pack(const Access& access) {
  return {(reinterpret_cast<uint64_t>(access.site) & siteMask) | uint64_t{access.mask} << siteBits |
              (access.isAtomic ? atomicBit : 0),
          access.group, access.item, access.interval};
}

Access AccessHistory::unpack(const Mark& mark, bool isWrite) {
  return {.site = reinterpret_cast<const char*>(mark.siteAndBits & siteMask),
          .group = mark.group,
          .item = mark.item,
          .interval = mark.interval,
          .mask = maskOf(mark.siteAndBits),
          .isWrite = isWrite,
          .isAtomic = (mark.siteAndBits & atomicBit) != 0};
}

bool AccessHistory::isOfSeveral(const Mark& mark) {
  return (mark.siteAndBits & severalBit) != 0;
}

bool AccessHistory::isUnordered(const Mark& mark, const Access& access) {
  if ((maskOf(mark.siteAndBits) & access.mask) == 0 || access.isFenced ||
      (access.isAtomic && (mark.siteAndBits & atomicBit) != 0))
    return false;
  if (mark.group != access.group)
    return true;
  return mark.interval == access.interval && (mark.item != access.item || isOfSeveral(mark));
}

std::optional<Access> AccessHistory::conflict(const Access& access) const {
  // Work-items that all write the same number do no harm.
  const bool isSame = access.isWrite && access.hasValue && hasValue_ && value_ == access.value &&
                      maskOf(written_.siteAndBits) == access.mask;
  if (isUnordered(written_, access) && !isSame)
    return unpack(written_, /*isWrite=*/true);
  if (access.isWrite && isUnordered(read_, access))
    return unpack(read_, /*isWrite=*/false);
  return std::nullopt;
}

void AccessHistory::remember(const Access& access) {
  const Mark mark = pack(access);
  if (access.isWrite) {
    written_ = mark;
    value_ = access.value;
    hasValue_ = access.hasValue;
  } else if (read_.siteAndBits != 0 && isUnordered(read_, access) && !access.isAtomic) {
    // The first of several that read at once stands for all.
    read_.siteAndBits |= severalBit | uint64_t{access.mask} << siteBits;
  } else {
    read_ = mark;
  }
}

std::optional<Access> AccessHistory::add(const Access& access, uint32_t epoch) {
  while (lock_.exchange(1, std::memory_order_acquire) != 0)
    ;
  if (epoch_ != epoch) {
    epoch_ = epoch;
    written_ = read_ = {};
    hasValue_ = 0;
  }
  const std::optional<Access> other = conflict(access);
  remember(access);
  lock_.store(0, std::memory_order_release);
  return other;
}

} // namespace quern::cpu
