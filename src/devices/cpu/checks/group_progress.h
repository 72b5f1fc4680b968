#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "abi/checked_launch.h"
#include "abi/checks.h"
#include "devices/cpu/checks/access_history.h"
#include "devices/cpu/checks/zeroed_pages.h"

namespace quern::cpu {

struct CheckedLaunch;

/// Which work-item calls.
struct WorkItem {
  const abi::CheckedLaunchInfo& info;
  std::array<uint64_t, 3> global, local;
};

/// In its work-group, of the work-item with the global id `global`.
std::array<uint64_t, 3> localIdOf(const abi::LaunchInfo& launch,
                                  const std::array<uint64_t, 3>& global);

/// How far the work-items of the work-group have come that the calling thread runs: what barriers
/// they have passed, and what they have done to memory.
class GroupProgress {
public:
  static GroupProgress& ofThread();

  /// `scratch` is where the thread's work-groups have their memory, which gets the tokens of that;
  /// null when it ends with the launch.
  void use(abi::CheckedScratch* scratch);
  const abi::GroupScratch* scratch() const { return scratch_ ? &scratch_->scratch : nullptr; }

  WorkItem itemOf(const abi::CheckedLaunchInfo& info, const std::array<uint64_t, 3>& global) const;

  /// Keeps `memory` for the kernel (abi::CheckedScratch::lookedUp), if the thread runs one.
  void noteLookedUp(const abi::LookedUpMemory& memory);

  /// Of local memory (abi::checkWrittenSymbol); false for what is none of the thread's.
  bool noteWritten(uint64_t address, uint64_t bytes);

  /// Whether nothing more is to be told of an access that is a plain read of local memory: those of
  /// the others since the last barrier, of which this may be the second, stand for it. `own` is the
  /// work-item's token for OwnReads.
  static bool isKnownRead(uint64_t address, uint64_t bytes, abi::AccessToken own);

  /// As abi::checkBarrierSymbol says.
  void reachBarrier(const WorkItem& item, const char* site, uint64_t flags);
  void reachCopy(const WorkItem& item, const char* site, uint64_t what, uint64_t event);
  void reachWait(const WorkItem& item, const char* site, uint64_t event);
  void reachEnd(const WorkItem& item, uint64_t groupSize);
  /// As abi::checkAccessSymbol says.
  void access(const WorkItem& item, const char* site, uint64_t address, uint64_t value,
              uint64_t bits);

private:
  struct Item {
    uint32_t steps = 0;
    uint32_t localInterval = 0, globalInterval = 0;
  };
  /// An event that a copy has given to a work-item.
  struct Event {
    uint64_t item; ///< number of the work-item
    uint64_t event;
    const char* site; ///< of the copy; null once the work-item has waited
  };
  /// What is the first, second, ... meeting for all.
  struct Step {
    const char* site;
    uint64_t flags; ///< or what else must be the same for all
    uint64_t count;
    std::array<uint64_t, 3> global, local; ///< of the first work-item there
  };
  /// Memory that was looked up.
  struct KnownExtent {
    uint64_t begin = 0, bytes = 0;
    AccessHistory* histories = nullptr;
  };

  bool isInGroupOf(const WorkItem& item) const;
  void enterGroupOf(const WorkItem& item);
  Item& stateOf(const WorkItem& item);
  void takeStep(const WorkItem& item, Item& state, const char* site, uint64_t flags);
  void reportDivergence(const WorkItem& item, const Step& own, const Step& earlier);
  void reportEvent(const WorkItem& item, const char* site, abi::Fault fault, uint64_t event);
  void endGroup(const WorkItem& item, uint64_t groupSize);
  void passIntervals();
  void placeTokens();
  abi::AccessToken& tokenAt(uint64_t index) {
    return reinterpret_cast<abi::AccessToken*>(tokens_.data() + abi::tokenSlack)[index];
  }
  /// Adds `access` to the history of the 4 bytes at `index` of local memory, and says what the
  /// kernel need not tell of them from here on. `interval` is the work-item's, in tokens.
  std::optional<Access> addLocal(uint64_t index, const Access& access, uint32_t interval);
  KnownExtent localExtent();
  const KnownExtent* globalExtent(uint64_t address);
  void reportRace(const WorkItem& item, const Access& access, const Access& other, uint64_t address,
                  const KnownExtent& extent);

  abi::CheckedScratch* scratch_ = nullptr;
  uint32_t launch_ = 0; ///< serial number
  bool isInGroup_ = false;
  std::array<uint64_t, 3> origin_ = {};
  uint64_t size_[3] = {};    ///< of the group
  uint32_t group_ = 0;       ///< number in the launch
  uint32_t groupSerial_ = 0; ///< among all of the thread
  uint64_t ended_ = 0;
  bool isDivergent_ = false; ///< and reported
  std::vector<Item> items_;
  std::vector<Step> steps_;
  std::vector<Event> events_; ///< of the work-group
  std::vector<AccessHistory> localHistories_;
  ZeroedPages tokens_;         ///< abi::AccessTokens, with abi::tokenSlack around
  ZeroedPages written_;        ///< likewise; abi::CheckedScratch::written
  uint32_t firstInterval_ = 1; ///< of the group, in tokens
  uint32_t intervals_ = 1;     ///< that its work-items have begun
  std::array<KnownExtent, 4> recent_ = {};
  unsigned nextRecent_ = 0;
};

} // namespace quern::cpu
