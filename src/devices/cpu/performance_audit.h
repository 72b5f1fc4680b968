#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/mutex_protected.h"

namespace quern::cpu {

struct Kernel;

/// Finds out which of two versions of a kernel's code is faster, on the launches that the program
/// makes anyway: they take turns (J. Lau, M. Arnold, M. Hind, B. Calder: Online Performance
/// Auditing, PLDI 2006). What work-items do differs from one part of a launch to the next, so that
/// only neighbouring turns are compared, and the challenger must win most pairs and be faster over
/// all of them. Thread-safe.
class PerformanceAudit {
public:
  /// All outlive it. `challengersName` is for the log.
  PerformanceAudit(const Kernel& incumbent, const Kernel& challenger,
                   std::string_view challengersName)
      : versions_{&incumbent, &challenger}, challengersName_(challengersName) {}

  /// One of the versions, to run next.
  struct Turn {
    size_t version = 0;
    /// Nanoseconds that the other one took just before for each work-item; 0 where this is the
    /// first turn of a pair.
    double other = 0;
    /// Nanoseconds that this one took last for each work-item; 0 while that is not known.
    double expected = 0;
  };
  /// The calling thread's next turn. It need not be taken.
  Turn next();
  /// What `turn` took, for so many work-items. A short turn only counts where there could be no
  /// more of them, `isWhole`: the first work-items after a change of code take longer.
  void note(const Turn& turn, uint64_t nanoseconds, uint64_t items, bool isWhole);

  const Kernel& versionOf(const Turn& turn) const { return *versions_[turn.version]; }
  const Kernel& incumbent() const { return *versions_[0]; }
  const Kernel& challenger() const { return *versions_[1]; }
  /// The faster version, or the incumbent where they are alike; null while that is not known.
  const Kernel* winner() const { return winner_.load(std::memory_order_acquire); }

private:
  static constexpr size_t mostPairs = 31, mostHalves = 64;
  struct Pairs {
    /// The second turns of pairs that nobody has taken yet. Where there are too many, the pair is
    /// forgotten.
    std::array<Turn, mostHalves> halves = {};
    size_t halfCount = 0;
    uint64_t begun = 0;                        ///< pairs
    uint64_t run = 0;                          ///< nanoseconds of all turns
    std::array<double, mostPairs> ratios = {}; ///< of the challenger's time to the incumbent's
    size_t count = 0;
    std::array<double, 2> sums = {}, last = {}; ///< nanoseconds of each version
  };
  static std::optional<size_t> winnerOf(const Pairs& pairs);

  const std::array<const Kernel*, 2> versions_;
  const std::string_view challengersName_;
  MutexProtected<Pairs> pairs_;
  std::atomic<const Kernel*> winner_{nullptr};
};

} // namespace quern::cpu
