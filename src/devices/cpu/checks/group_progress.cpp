#include "devices/cpu/checks/group_progress.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "abi/checks.h"
#include "base/sentence.h"
#include "devices/cpu/checks/check_functions.h"
#include "devices/cpu/checks/fault_reports.h"
#include "devices/cpu/known_memory.h"

namespace quern::cpu {

namespace {

/// Flags of barriers, as OpenCL C has them.
constexpr uint64_t localMemoryFence = 1, globalMemoryFence = 2;
/// That tokens can tell apart.
constexpr uint32_t mostIntervals = uint32_t{1} << (32 - abi::tokenIntervalShift);

const CheckedLaunch& checkedLaunch(const WorkItem& item) {
  return *static_cast<const CheckedLaunch*>(item.info.state);
}

/// The calling thread's, while it runs a launch.
constinit thread_local GroupProgress* current = nullptr;

/// Number of a work-item in its work-group, or of a work-group in its launch.
uint64_t linear(const std::array<uint64_t, 3>& id, const uint64_t (&size)[3]) {
  return (id[2] * size[1] + id[1]) * size[0] + id[0];
}

std::string placeOf(const char* site) {
  const std::optional<abi::CheckSite> place = abi::decodeCheckSite(site);
  return place && place->line != 0
             ? sentence(" at ", place->file, ":", place->line, ":", place->column)
             : std::string();
}

/// What the meeting at `site` is; empty for a barrier.
std::string kindOf(const char* site) {
  const std::optional<abi::CheckSite> place = abi::decodeCheckSite(site);
  return place ? place->name : std::string();
}
bool isBarrier(const char* site) {
  return kindOf(site).empty();
}

bool standsBefore(const char* site, const char* other) {
  const std::optional<abi::CheckSite> own = abi::decodeCheckSite(site),
                                      its = abi::decodeCheckSite(other);
  return own && its && std::pair(own->line, own->column) < std::pair(its->line, its->column);
}

} // namespace

std::array<uint64_t, 3> localIdOf(const abi::LaunchInfo& launch,
                                  const std::array<uint64_t, 3>& global) {
  std::array<uint64_t, 3> local;
  for (size_t i = 0; i < local.size(); ++i)
    local[i] = (global[i] - launch.globalOffset[i]) % launch.localSize[i];
  return local;
}

GroupProgress& GroupProgress::ofThread() {
  // Not among the thread's own variables, of which a library that is loaded late has few.
  static thread_local const auto progress = std::make_unique<GroupProgress>();
  return *progress;
}

void GroupProgress::use(abi::CheckedScratch* scratch) {
  scratch_ = scratch;
  current = scratch ? this : nullptr;
  passIntervals();
  if (!scratch)
    return;
  scratch->lookedUp = {};
  placeTokens();
}

void GroupProgress::noteLookedUp(const abi::LookedUpMemory& memory) {
  if (scratch_)
    scratch_->lookedUp = memory;
}

/// What is in the tokens is of earlier intervals from here on, or gone.
void GroupProgress::passIntervals() {
  firstInterval_ += intervals_;
  intervals_ = 1;
  if (firstInterval_ >= mostIntervals) {
    tokens_.clear();
    firstInterval_ = 1;
  }
  if (scratch_)
    scratch_->interval = firstInterval_;
}

void GroupProgress::placeTokens() {
  const uint64_t bytes = scratch_->scratch.localBytes + 2 * abi::tokenSlack;
  tokens_.reserve(bytes + sizeof(abi::AccessToken));
  scratch_->tokens = tokens_.data() + abi::tokenSlack;
  written_.reserve(bytes);
  scratch_->written = written_.data() + abi::tokenSlack;
}

std::optional<Access> GroupProgress::addLocal(uint64_t index, const Access& access,
                                              uint32_t interval) {
  AccessHistory& history = localHistories_[index];
  abi::AccessToken& token = tokenAt(index);
  const abi::AccessToken upper = interval << abi::tokenIntervalShift;
  if (token == (upper | abi::tokenOfReads))
    history.addReaders();
  std::optional<Access> other = history.addAlone(access, groupSerial_);
  const auto standsFor = other ? std::nullopt : history.standsFor(access);
  token = standsFor ? upper | *standsFor : 0;
  return other;
}

bool GroupProgress::noteWritten(uint64_t address, uint64_t bytes) {
  if (!scratch_)
    return false;
  const uint64_t offset = address - reinterpret_cast<uint64_t>(scratch_->scratch.local);
  const uint64_t room = scratch_->scratch.localBytes;
  if (offset >= room)
    return false;
  std::memset(scratch_->written + offset, 0xff, std::min(bytes, room - offset));
  return true;
}

bool GroupProgress::isKnownRead(uint64_t address, uint64_t bytes, abi::AccessToken own) {
  GroupProgress& progress = *current;
  const uint64_t offset = address - reinterpret_cast<uint64_t>(progress.scratch_->scratch.local);
  const uint64_t room = progress.scratch_->scratch.localBytes;
  if (offset >= room || bytes > room - offset)
    return true;
  const abi::AccessToken upper = own >> abi::tokenIntervalShift << abi::tokenIntervalShift;
  bool isKnown = true;
  for (uint64_t at = offset; at < offset + bytes; at += sizeof(abi::AccessToken)) {
    abi::AccessToken& token = progress.tokenAt(at / sizeof(abi::AccessToken));
    const abi::AccessToken ofInterval = token - upper;
    const bool isReadByAnother = ofInterval >> abi::tokenIntervalShift == 0 && ofInterval % 4 == 0;
    if (isReadByAnother && token != own)
      token = upper | abi::tokenOfReads;
    else
      isKnown &= token == (upper | abi::tokenOfReads) || token - own < 3;
  }
  return isKnown;
}

/// One dimension after the other: the ids have just been stored one by one, and to load them two at
/// a time would have to wait for that.
bool GroupProgress::isInGroupOf(const WorkItem& item) const {
  return isInGroup_ && checkedLaunch(item).serial == launch_ &&
         item.global[0] - item.local[0] == origin_[0] &&
         item.global[1] - item.local[1] == origin_[1] &&
         item.global[2] - item.local[2] == origin_[2];
}

/// Mostly of the group that called last, where nothing need be divided.
WorkItem GroupProgress::itemOf(const abi::CheckedLaunchInfo& info,
                               const std::array<uint64_t, 3>& global) const {
  WorkItem item = {info, global, {}};
  for (size_t i = 0; i < global.size(); ++i)
    item.local[i] = global[i] - origin_[i];
  const bool isOfGroup = isInGroup_ && checkedLaunch(item).serial == launch_ &&
                         item.local[0] < size_[0] && item.local[1] < size_[1] &&
                         item.local[2] < size_[2];
  if (!isOfGroup)
    item.local = localIdOf(info.launch, global);
  return item;
}

void GroupProgress::enterGroupOf(const WorkItem& item) {
  if (isInGroupOf(item))
    return;
  const uint32_t serial = checkedLaunch(item).serial;
  std::array<uint64_t, 3> origin;
  for (size_t i = 0; i < origin.size(); ++i)
    origin[i] = item.global[i] - item.local[i];
  isInGroup_ = true;
  if (serial != launch_)
    recent_ = {};
  launch_ = serial;
  origin_ = origin;
  std::array<uint64_t, 3> group;
  for (size_t i = 0; i < group.size(); ++i) {
    const abi::LaunchInfo& launch = item.info.launch;
    const uint64_t first = origin[i] - launch.globalOffset[i];
    group[i] = first / launch.localSize[i];
    size_[i] = std::min(launch.localSize[i], launch.globalSize[i] - first);
  }
  group_ = static_cast<uint32_t>(linear(group, item.info.launch.groupCount));
  ++groupSerial_;
  ended_ = 0;
  isDivergent_ = false;
  items_.clear();
  steps_.clear();
  events_.clear();
}

GroupProgress::Item& GroupProgress::stateOf(const WorkItem& item) {
  const uint64_t number = linear(item.local, size_);
  if (number >= items_.size())
    items_.resize(number + 1);
  return items_[number];
}

void GroupProgress::reachBarrier(const WorkItem& item, const char* site, uint64_t flags) {
  enterGroupOf(item);
  Item& state = stateOf(item);
  state.localInterval += (flags & localMemoryFence) != 0;
  state.globalInterval += (flags & globalMemoryFence) != 0;
  intervals_ = std::max(intervals_, state.localInterval + 1);
  if (flags & abi::checkedFlagOfSubGroup)
    return;
  takeStep(item, state, site, flags);
}

void GroupProgress::takeStep(const WorkItem& item, Item& state, const char* site, uint64_t flags) {
  const uint32_t number = state.steps++;
  if (number == steps_.size()) {
    steps_.push_back({site, flags, 1, item.global, item.local});
    return;
  }
  Step& step = steps_[number];
  ++step.count;
  if ((step.site == site && step.flags == flags) || isDivergent_)
    return;
  reportDivergence(item, {site, flags, 1, item.global, item.local}, step);
}

void GroupProgress::reachCopy(const WorkItem& item, const char* site, uint64_t what,
                              uint64_t event) {
  enterGroupOf(item);
  takeStep(item, stateOf(item), site, what);
  events_.push_back({linear(item.local, size_), event, site});
}

void GroupProgress::reachWait(const WorkItem& item, const char* site, uint64_t event) {
  enterGroupOf(item);
  takeStep(item, stateOf(item), site, event);
  const uint64_t number = linear(item.local, size_);
  bool isKnown = false;
  for (Event& given : events_)
    if (given.item == number && given.event == event) {
      isKnown = true;
      given.site = nullptr;
    }
  if (!isKnown)
    reportEvent(item, site, abi::Fault::UnknownEvent, event);
}

/// In which order the two come is up to the compiler; the one that stands later in the source is
/// the one that does not fit, or a copy, which others would have passed before they wait.
void GroupProgress::reportDivergence(const WorkItem& item, const Step& own, const Step& earlier) {
  isDivergent_ = true;
  const bool isOwnCopy = kindOf(own.site) == abi::meetingOfCopy,
             isOtherCopy = kindOf(earlier.site) == abi::meetingOfCopy;
  const bool isOwnLater =
      isOwnCopy == isOtherCopy ? !standsBefore(own.site, earlier.site) : isOwnCopy;
  const Step &later = isOwnLater ? own : earlier, &first = isOwnLater ? earlier : own;
  const bool isSamePlace = own.site == earlier.site;
  const std::string local =
      sentence("(", first.local[0], ", ", first.local[1], ", ", first.local[2], ")");
  const std::string other =
      isSamePlace
          ? sentence(", with other ", isBarrier(own.site) ? "flags" : "arguments",
                     " than the work-item with local id ", local)
          : sentence(", while the work-item with local id ", local, " waits", placeOf(first.site));
  FaultReports::get().add(
      later.site, {.values = {0, 0}, .global = later.global, .local = later.local, .other = other},
      &checkedLaunch(item));
}

/// Of a meeting at `site`.
void GroupProgress::reportEvent(const WorkItem& item, const char* site, abi::Fault fault,
                                uint64_t event) {
  std::optional<abi::CheckSite> place = abi::decodeCheckSite(site);
  if (!place)
    return;
  place->fault = fault;
  FaultReports::get().add(
      abi::encode(*place).c_str(),
      {.values = {event, 0}, .global = item.global, .local = item.local, .other = {}},
      &checkedLaunch(item));
}

void GroupProgress::reachEnd(const WorkItem& item, uint64_t groupSize) {
  enterGroupOf(item);
  if (++ended_ == groupSize)
    endGroup(item, groupSize);
}

void GroupProgress::endGroup(const WorkItem& item, uint64_t groupSize) {
  const auto missed =
      std::ranges::find_if(steps_, [&](const Step& step) { return step.count != groupSize; });
  if (missed != steps_.end() && !isDivergent_)
    FaultReports::get().add(missed->site,
                            {.values = {missed->count, groupSize},
                             .global = missed->global,
                             .local = missed->local,
                             .other = {}},
                            &checkedLaunch(item));
  // Each copy once, however many of the work-items do not wait for it.
  std::vector<const char*> told;
  for (const Event& given : events_)
    if (given.site && std::ranges::find(told, given.site) == told.end()) {
      told.push_back(given.site);
      reportEvent(item, given.site, abi::Fault::UnawaitedCopy, given.event);
    }
  isInGroup_ = false; // the next one may be the same group of another run
  passIntervals();
}

GroupProgress::KnownExtent GroupProgress::localExtent() {
  if (!scratch_)
    return {};
  const abi::GroupScratch& memory = scratch_->scratch;
  const uint64_t count = memory.localBytes / AccessHistory::bytes + 1;
  if (localHistories_.size() < count)
    localHistories_ = std::vector<AccessHistory>(count);
  return {reinterpret_cast<uint64_t>(memory.local), memory.localBytes, localHistories_.data()};
}

const GroupProgress::KnownExtent* GroupProgress::globalExtent(uint64_t address) {
  for (const KnownExtent& extent : recent_)
    if (address - extent.begin < extent.bytes)
      return &extent;
  const auto found = KnownMemory::get().find(address);
  AccessHistory* const histories = found ? KnownMemory::get().historiesOf(found->begin) : nullptr;
  if (!histories)
    return nullptr;
  KnownExtent& extent = recent_[nextRecent_++ % recent_.size()];
  extent = {found->begin, found->bytes, histories};
  return &extent;
}

void GroupProgress::access(const WorkItem& item, const char* site, uint64_t address, uint64_t value,
                           uint64_t bits) {
  enterGroupOf(item);
  const bool isLocal = (bits & abi::checkedLocal) != 0;
  const KnownExtent local = isLocal ? localExtent() : KnownExtent();
  const KnownExtent* extent = isLocal ? &local : globalExtent(address);
  const uint64_t bytes = bits & UINT32_MAX;
  if (!extent || address - extent->begin >= extent->bytes ||
      bytes > extent->bytes - (address - extent->begin))
    return;
  const Item state = items_.empty() ? Item() : stateOf(item);
  Access access = {.site = site,
                   .group = group_,
                   .item = static_cast<uint16_t>(linear(item.local, size_)),
                   .interval =
                       static_cast<uint16_t>(isLocal ? state.localInterval : state.globalInterval),
                   .isWrite = (bits & abi::checkedWrite) != 0,
                   .isAtomic = (bits & abi::checkedAtomic) != 0,
                   .isFenced = (bits & abi::checkedFenced) != 0,
                   .hasValue = bytes <= sizeof(value) && (bits & abi::checkedAtomic) == 0};
  const uint64_t first = address - extent->begin;
  bool isReported = false;
  for (uint64_t at = first; at < first + bytes;) {
    const uint64_t start = at % AccessHistory::bytes;
    const uint64_t count = std::min(AccessHistory::bytes - start, first + bytes - at);
    access.mask = static_cast<uint8_t>(((1u << count) - 1) << start);
    access.value = static_cast<uint32_t>(access.hasValue ? value >> 8 * (at - first) : 0);
    const uint64_t index = at / AccessHistory::bytes;
    const std::optional<Access> other =
        isLocal ? addLocal(index, access, firstInterval_ + state.localInterval)
                : extent->histories[index].add(access, launch_);
    if (other && !isReported)
      reportRace(item, access, *other, address, *extent);
    isReported |= other.has_value();
    at += count;
  }
}

void GroupProgress::reportRace(const WorkItem& item, const Access& access, const Access& other,
                               uint64_t address, const KnownExtent& extent) {
  const std::string text =
      sentence(", while another work-item (number ", other.item, " of the work-group ", other.group,
               ") ", other.isWrite ? "writes it" : "reads it", placeOf(other.site),
               ", with no barrier between them");
  FaultReports::get().add(access.site,
                          {.values = {address - extent.begin, extent.bytes},
                           .global = item.global,
                           .local = item.local,
                           .other = text},
                          &checkedLaunch(item));
}

} // namespace quern::cpu
