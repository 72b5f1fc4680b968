#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/mutex_protected.h"
#include "device/device.h"

namespace quern::runtime {

/// Whether the first launch of each kind waits for its specialisation (the option QUERN_VARIANTS).
bool specialisationsAreWantedNow();

/// Chooses which specialisations of one kernel are made, and keeps their number within bounds.
/// Functions that take facts take those that usefulFacts() gave. Thread-safe.
class SpecialisationChoice {
public:
  /// What makes better code for launches of the kernel `description` of which `facts` are known,
  /// where stores of so many bytes, `streamBytes`, better go past the caches.
  abi::LaunchFacts usefulFacts(const abi::LaunchFacts& facts,
                               const abi::KernelDescription& description,
                               uint64_t streamBytes) const;

  /// Whether `consider` would ask for nothing, because it settled a launch last whose useful facts
  /// were those of a launch of which all `facts` are known. Costs next to nothing.
  bool isSettled(const abi::LaunchFacts& facts, const abi::KernelDescription& description,
                 uint64_t streamBytes) const;

  struct Wanted {
    /// No launch before had these facts: a specialisation that was made in another process may be
    /// there.
    bool isNew = false;
    /// It is worth it to rely on the values of arguments.
    bool withConstants = false;
  };
  /// Before a launch with these facts.
  Wanted consider(const abi::LaunchFacts& facts);

  /// Whether there is a specialisation for such launches, or there may be no more specialisations.
  bool isMade(const abi::LaunchFacts& facts);
  /// Whether the specialisations that there are keep in the caches what such launches store,
  /// although it is too much.
  bool lacksStreaming(const abi::LaunchFacts& facts);
  /// The facts to make a specialisation for: none where it is the last one, which can run all
  /// launches.
  abi::LaunchFacts within(const abi::LaunchFacts& facts);
  void noteMade(const abi::LaunchFacts& facts);

private:
  /// Which facts of a launch are of use.
  struct Uses {
    bool constants, groups, offset, stores;
  };
  Uses usesOf(const abi::LaunchFacts& facts, const abi::KernelDescription& description,
              uint64_t streamBytes) const;
  static uint64_t markOf(const abi::LaunchFacts& facts, const Uses& uses);

  struct Known {
    std::vector<abi::LaunchFacts> seen; ///< by `consider`
    std::vector<abi::LaunchFacts> made;
    abi::LaunchFacts last; ///< that `consider` saw
    uint32_t repeated = 0; ///< times in a row that the constants were those of `last`
    uint32_t changes = 0;  ///< times that they were not
  };
  /// Whether specialisations for the values of arguments in `facts` shall be made, or may be some
  /// day.
  enum class Worth { No, NotYet, Yes };
  Worth worthOfConstants(Known& known, const abi::LaunchFacts& facts);

  /// Marks facts of launches for which `consider` has nothing left to ask; 0 for none.
  std::atomic<uint64_t> settled_{0};
  /// No more code is made or looked for that relies on values of arguments.
  std::atomic<bool> ignoresConstants_{false};
  MutexProtected<Known> known_;
};

/// The same, for launches with any values of arguments.
abi::LaunchFacts withoutConstants(abi::LaunchFacts facts);

} // namespace quern::runtime
