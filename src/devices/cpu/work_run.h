#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "device/command.h"
#include "devices/cpu/graph_run.h"
#include "devices/cpu/kernel_run.h"
#include "devices/cpu/time_limit.h"
#include "devices/cpu/transfer_run.h"
#include "trace/records.h"

namespace quern::cpu {

/// Nanoseconds on the device's clock, CLOCK_MONOTONIC.
uint64_t now();

/// What a command does, as pieces numbered from 0 that any threads may run in any order. Refers to
/// the command's work. A graph is one piece, or stages of pieces.
class WorkRun {
public:
  explicit WorkRun(const device::Work& work);

  /// Whether there was memory to prepare the work. Otherwise it is one piece, which fails with
  /// CL_OUT_OF_RESOURCES.
  bool isPrepared() const { return isPrepared_; }
  uint64_t pieces() const { return pieces_; }
  /// Work-items of a launch; 0 for other work.
  uint64_t items() const;
  /// What a piece probably costs in nanoseconds; 0 when nothing is known.
  double pieceCost() const;
  /// What all of it probably costs in nanoseconds. Very much where nothing is known.
  double cost() const;
  /// Whether few long ranges of pieces are better than many short ones.
  bool prefersLongRanges() const;
  /// CL_SUCCESS, or why the pieces from `begin` up to `end` could not be run. In a
  /// FloatEnvironment. `limit` is that of a launch; those of a graph have their own.
  cl_int run(uint64_t begin, uint64_t end, TimeLimit& limit);
  /// After all pieces, `times` times, on any thread. `nanoseconds` is the time that all of them
  /// took together, on one thread or several, and `others` work-items of launches of the same
  /// kernel that were ended unmeasured.
  void end(uint64_t nanoseconds, uint64_t times = 1, uint64_t others = 0);
  /// The same where their time was not taken.
  void endUnmeasured();

  /// Whether it can be run in stages instead: then the pieces are those of the stage.
  bool hasStages() const { return std::holds_alternative<GraphRun>(run_); }
  /// As GraphRun::advance.
  bool advance(cl_int& status);

private:
  std::variant<std::monostate, KernelRun, TransferRun, GraphRun, const device::CallHost*> run_;
  bool isPrepared_ = true, isInStages_ = false;
  uint64_t pieces_ = 1;
};

/// Whether both are launches of one kernel.
bool areOfOneKernel(const device::Work& work, const device::Work& other);

/// What the timeline calls `work`.
trace::Name nameOf(const device::Work& work);

/// What `work` probably costs in nanoseconds, in all and for one piece: guesses, made without
/// preparing it. Very much where nothing is known.
double estimateCost(const device::Work& work);
double estimatePieceCost(const device::Work& work);

/// The nanoseconds that `work` probably takes, where that is known and so little that one thread
/// should do it.
std::optional<uint64_t> estimateSmallTime(const device::Work& work);

/// Work that costs this many nanoseconds is worth waking a thread for.
inline constexpr double costWorthWaking = 20'000;
/// Below this many nanoseconds one thread has done the work before another has found it.
inline constexpr double costWorthSharing = 5'000;

/// Whether `work`, of which estimateCost says `cost`, should be offered to several threads: it may
/// have several pieces and may cost enough.
bool isWorthSharing(const device::Work& work, double cost);

} // namespace quern::cpu
