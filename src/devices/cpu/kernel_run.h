#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "abi/cpu_kernel.h"
#include "device/command.h"
#include "devices/cpu/checks/check_functions.h"
#include "devices/cpu/executable.h"
#include "devices/cpu/faults.h"
#include "devices/cpu/print_sink.h"
#include "devices/cpu/time_limit.h"

namespace quern::cpu {

/// One kernel launch, ready to run: a flat row of tiles (tile.h), first dimension fastest, any part
/// of which any thread may run. Most kernels' tiles are work-groups. Refers to the launch, which
/// must outlive it.
class KernelRun {
public:
  /// Throws std::bad_alloc.
  explicit KernelRun(const device::LaunchKernel& launch);
  KernelRun(const KernelRun&) = delete;
  KernelRun& operator=(const KernelRun&) = delete;

  /// Neighbouring tiles in dimension 0, of which some are too small alone.
  uint64_t pieces() const { return piecesOfRow_ * tiling_.count[1] * tiling_.count[2]; }
  uint64_t itemsOfPiece() const { return itemsOfTile_ * tilesOfPiece_; }
  uint64_t items() const { return tiling_.items; }
  const Kernel& kernel() const { return kernel_; }
  /// abi::KernelDescription::countsApart of the code that runs now.
  bool countsApart() const { return latestVersion().kernel->description.countsApart; }

  /// Runs the pieces from `begin` up to `end` on the calling thread. CL_OUT_OF_RESOURCES, with none
  /// of them run, when there is no memory for a work-group; the same when `limit`, which all that
  /// run pieces of one launch share, is exceeded.
  cl_int run(uint64_t begin, uint64_t end, TimeLimit& limit);

  /// After all work-groups, which took `nanoseconds` on all threads together: writes out what they
  /// printed.
  void end(uint64_t nanoseconds);
  /// The same where their time was not taken.
  void endUnmeasured();

private:
  /// Whether all its time is counted while it runs, so that better code can take over, and not just
  /// in the end, which costs a small launch less.
  bool isLong() const { return items() > mostItemsOfSmall; }
  static constexpr uint64_t mostItemsOfSmall = 4096;

  /// Code, and the memory of the calling thread for it.
  struct PreparedCode {
    Version version;
    const abi::GroupScratch* scratch = nullptr; ///< null where there is no memory
  };

  Version latestVersion() const { return kernel_.versionFor(launch_, facts_, itemsOfTile_); }
  /// The latest code, or the first where there is no memory for the context of that.
  PreparedCode prepareLatest() const;
  cl_int runWatched(uint64_t begin, uint64_t end, TimeLimit& limit);
  /// Where `frame` is not null, one tile at a time, so that it is known which one faults.
  cl_int runPieces(uint64_t begin, uint64_t end, FaultFrame* frame, const TimeLimit& limit);
  bool call(const Kernel& code, const abi::GroupScratch* scratch, uint64_t x, uint64_t next,
            uint64_t y, uint64_t z, FaultFrame* frame);
  FaultFrame::Position positionOf(const std::array<uint64_t, 3>& tile) const;
  /// As abi::CheckedLaunchInfo::sharedElements has it.
  bool isOneRow() const;
  void choosePieces();
  void placeLocalArguments();

  const device::LaunchKernel& launch_;
  const Kernel& kernel_;
  abi::LaunchFacts facts_;
  const Tiling tiling_;
  const uint64_t itemsOfTile_;
  uint64_t tilesOfPiece_ = 1, piecesOfRow_ = 1;
  uint64_t localBytes_ = 0;
  const std::byte* arguments_ = nullptr;
  abi::CheckedLaunchInfo checkedInfo_ = {}; ///< kernels without checks use the first part
  abi::LaunchInfo& info_ = checkedInfo_.launch;
  PrintSink sink_;
  std::atomic<uint64_t> counted_ = 0; ///< nanoseconds that were counted while it ran
  /// Where local arguments are, in a copy of the arguments.
  std::optional<device::ArgumentBlock> placedArguments_;
  std::optional<CheckedLaunch> checked_; ///< where kernels have checks
};

} // namespace quern::cpu
