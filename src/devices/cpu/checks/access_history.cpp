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

bool AccessHistory::isOfInterval(const Mark& mark, const Access& access) {
  return mark.group == access.group && mark.interval == access.interval;
}

bool AccessHistory::isUnordered(const Mark& mark, const Access& access) {
  if ((maskOf(mark.siteAndBits) & access.mask) == 0 || access.isFenced ||
      (access.isAtomic && (mark.siteAndBits & atomicBit) != 0))
    return false;
  if (mark.group != access.group)
    return true;
  return isOfInterval(mark, access) && (mark.item != access.item || isOfSeveral(mark));
}

bool AccessHistory::isOneOfSeveral(const Access& access, uint32_t epoch) const {
  if (access.isWrite || access.isAtomic || epoch_.load(std::memory_order_relaxed) != epoch)
    return false;
  const Mark read = read_.load();
  return isOfSeveral(read) && read.group == access.group && read.interval == access.interval &&
         (maskOf(read.siteAndBits) & access.mask) == access.mask &&
         (read.siteAndBits & atomicBit) == 0 && !isUnordered(written_.load(), access) &&
         !isUnordered(exchanged_.load(), access);
}

std::optional<Access> AccessHistory::conflict(const Access& access) const {
  const Mark written = written_.load();
  // Work-items that all write the same number do no harm.
  const bool isSame = access.isWrite && access.hasValue && hasValue_ && value_ == access.value &&
                      maskOf(written.siteAndBits) == access.mask;
  if (!isSame && isUnordered(written, access))
    return unpack(written, /*isWrite=*/true);
  if (const Mark exchanged = exchanged_.load(); isUnordered(exchanged, access))
    return unpack(exchanged, /*isWrite=*/true);
  if (!access.isWrite)
    return std::nullopt;
  const Mark read = read_.load();
  return isUnordered(read, access) ? std::optional(unpack(read, /*isWrite=*/false)) : std::nullopt;
}

void AccessHistory::rememberWrite(const Access& access) {
  const Mark before = written_.load();
  const bool isAgain =
      before.siteAndBits != 0 && isOfInterval(before, access) && before.item == access.item;
  written_.store(pack(access));
  if (isAgain && !(hasValue_ && access.hasValue && value_ == access.value)) {
    hasValue_ = 0;
    return;
  }
  value_ = access.value;
  hasValue_ = access.hasValue;
}

void AccessHistory::rememberExchange(const Access& access) {
  Mark mark = pack(access);
  const Mark before = exchanged_.load();
  if (before.siteAndBits != 0 && isOfInterval(before, access) &&
      (before.item != access.item || isOfSeveral(before)))
    mark.siteAndBits |= severalBit | uint64_t{maskOf(before.siteAndBits)} << siteBits;
  exchanged_.store(mark);
}

void AccessHistory::remember(const Access& access) {
  if (access.isWrite && access.isAtomic)
    return rememberExchange(access);
  if (access.isWrite)
    return rememberWrite(access);
  Mark mark = pack(access);
  const Mark read = read_.load();
  if (read.siteAndBits != 0 && isUnordered(read, access) && !access.isAtomic) {
    // The first of several that read at once stands for all.
    mark = read;
    mark.siteAndBits |= severalBit | uint64_t{access.mask} << siteBits;
  }
  read_.store(mark);
}

std::optional<Access> AccessHistory::addAlone(const Access& access, uint32_t epoch) {
  if (isOneOfSeveral(access, epoch))
    return std::nullopt;
  if (epoch_.load(std::memory_order_relaxed) != epoch) {
    epoch_.store(epoch, std::memory_order_relaxed);
    written_.store({});
    exchanged_.store({});
    read_.store({});
    hasValue_ = 0;
  }
  std::optional<Access> other = conflict(access);
  remember(access);
  return other;
}

std::optional<abi::AccessToken> AccessHistory::standsFor(const Access& access) const {
  using enum abi::AccessTokenKind;
  const auto own = [&](abi::AccessTokenKind kind) {
    return abi::AccessToken{access.item} << abi::tokenItemShift | static_cast<uint32_t>(kind);
  };
  const auto isAllOfSeveral = [&](const Mark& mark) {
    return isOfSeveral(mark) && maskOf(mark.siteAndBits) == (1u << maskBits) - 1;
  };
  if (access.mask != (1u << maskBits) - 1)
    return std::nullopt;
  if (access.isAtomic)
    return access.isWrite && isAllOfSeveral(exchanged_.load()) ? std::optional(abi::tokenOfAtomics)
                                                               : std::nullopt;
  if (access.isWrite)
    return own(hasValue_ ? WrittenOnce : OwnAccesses);
  return isAllOfSeveral(read_.load()) ? abi::tokenOfReads : own(OwnReads);
}

void AccessHistory::addReaders() {
  Mark read = read_.load();
  read.siteAndBits |= severalBit;
  read_.store(read);
}

std::optional<Access> AccessHistory::add(const Access& access, uint32_t epoch) {
  if (isOneOfSeveral(access, epoch))
    return std::nullopt;
  while (lock_.exchange(1, std::memory_order_acquire) != 0)
    ;
  std::optional<Access> other = addAlone(access, epoch);
  lock_.store(0, std::memory_order_release);
  return other;
}

} // namespace quern::cpu
