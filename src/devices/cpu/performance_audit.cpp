#include "devices/cpu/performance_audit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "base/log.h"
#include "base/sentence.h"
#include "devices/cpu/executable.h"

namespace quern::cpu {

namespace {

/// The part of the incumbent's time that the challenger may take: with less to gain it is not worth
/// the change.
constexpr double worthChanging = 0.96;
/// Pairs after which a version that is slower by `clearly` in all of them has lost, and after which
/// one that is slower in all has.
constexpr size_t leastPairs = 4, enoughPairs = 10;
constexpr double clearly = 1.5;
/// Nanoseconds of a turn that counts in any case.
constexpr uint64_t leastOfTurn = 20'000;
/// Nanoseconds of both until caches and branch predictors know the new code.
constexpr uint64_t warmUp = 500'000;
/// Pairs after which the audit ends, though turns were too short to count.
constexpr uint64_t mostPairsBegun = 10'000;
/// Of all pairs at the end the challenger has to win so many of three.
constexpr size_t mostOfThree = 2;

} // namespace

PerformanceAudit::Turn PerformanceAudit::next() {
  return pairs_.with([](Pairs& pairs) {
    // The sequence of Thue and Morse: launches that take turns themselves, in whatever period, meet
    // both versions alike.
    Turn turn = pairs.halfCount > 0 ? pairs.halves[--pairs.halfCount]
                                    : Turn{static_cast<size_t>(std::popcount(pairs.begun++) & 1)};
    turn.expected = pairs.last[turn.version];
    return turn;
  });
}

void PerformanceAudit::note(const Turn& turn, uint64_t nanoseconds, uint64_t items, bool isWhole) {
  pairs_.with([&](Pairs& pairs) {
    if (winner() || nanoseconds == 0 || items == 0)
      return;
    const double cost = static_cast<double>(nanoseconds) / static_cast<double>(items);
    pairs.last[turn.version] = cost;
    pairs.run += nanoseconds;
    if (pairs.begun > mostPairsBegun) {
      winner_.store(&incumbent(), std::memory_order_release);
      log::info(sentence("the kernel '", incumbent().description.name,
                         "' keeps its code: its launches are too short to measure ",
                         challengersName_));
      return;
    }
    if (pairs.run < warmUp || (nanoseconds < leastOfTurn && !isWhole))
      return;
    if (turn.other == 0) {
      if (pairs.halfCount < mostHalves)
        pairs.halves[pairs.halfCount++] = {1 - turn.version, cost};
      return;
    }
    const double incumbents = turn.version == 0 ? cost : turn.other;
    const double challengers = turn.version == 0 ? turn.other : cost;
    pairs.ratios[pairs.count++] = challengers / incumbents;
    pairs.sums[0] += incumbents;
    pairs.sums[1] += challengers;
    if (const std::optional<size_t> version = winnerOf(pairs)) {
      winner_.store(versions_[*version], std::memory_order_release);
      log::info(
          sentence("the kernel '", incumbent().description.name, "' ",
                   *version == 0 ? "keeps its code: " : "changes its code: ", challengersName_,
                   " takes ", std::lround(100 * pairs.sums[1] / pairs.sums[0]), " % of its time"));
    }
  });
}

std::optional<size_t> PerformanceAudit::winnerOf(const Pairs& pairs) {
  const std::span ratios(pairs.ratios.data(), pairs.count);
  const auto [least, most] = std::ranges::minmax(ratios);
  const bool isFaster = pairs.sums[1] < worthChanging * pairs.sums[0];
  if (ratios.size() >= leastPairs && least > clearly)
    return 0;
  if (ratios.size() >= enoughPairs && least > worthChanging)
    return 0;
  if (ratios.size() >= enoughPairs && most < worthChanging && isFaster)
    return 1;
  if (ratios.size() < mostPairs)
    return std::nullopt;
  const auto won = static_cast<size_t>(
      std::ranges::count_if(ratios, [](double ratio) { return ratio < worthChanging; }));
  return isFaster && 3 * won >= mostOfThree * ratios.size() ? 1 : 0;
}

} // namespace quern::cpu
