#include "devices/cpu/kernel_run.h"

#include <algorithm>
#include <cstring>

#include "base/config.h"
#include "base/log.h"
#include "base/round_up.h"
#include "base/sentence.h"
#include "device/launch_facts.h"
#include "devices/cpu/checks/configured_checks.h"
#include "devices/cpu/guarded_memory.h"
#include "devices/cpu/known_memory.h"
#include "devices/cpu/scratch.h"
#include "devices/cpu/work_run.h"

namespace quern::cpu {

namespace {

/// Pieces have this many work-items in dimension 0, unless there were then fewer pieces than can be
/// dealt out evenly.
constexpr uint64_t itemsInRowOfPiece = 64, fewPieces = 64;

/// How many tiles baseline code runs before it is asked again whether there is better code: few
/// where they take long, since a launch may take seconds with code that is ten times as slow as
/// what is made for it in the meantime. Of a small launch only the first ones are asked, unless
/// they take long.
class Pace {
public:
  explicit Pace(bool isLong) : isLong_(isLong) {}

  bool counts() const { return isLong_ || !isQuick_; }
  /// `expected`: nanoseconds of a tile, or 0.
  uint64_t tiles(double expected) const {
    return expected > 0 ? 1 + static_cast<uint64_t>(enoughNanoseconds / expected) : tiles_;
  }
  void note(uint64_t nanoseconds) {
    isQuick_ = nanoseconds < enoughNanoseconds;
    // Rows of few tiles are quick whatever this says.
    if (isQuick_ && tiles_ < mostTiles)
      tiles_ *= 2;
  }

private:
  /// A thousand times what it takes to ask.
  static constexpr uint64_t enoughNanoseconds = 50'000;
  static constexpr uint64_t mostTiles = uint64_t{1} << 32;
  const bool isLong_;
  bool isQuick_ = false;
  uint64_t tiles_ = 1;
};

} // namespace

KernelRun::KernelRun(const device::LaunchKernel& launch)
    : launch_(launch),
      kernel_(static_cast<const Executable&>(*launch.executable).kernel(launch.kernel)),
      facts_(launch.facts),
      tiling_(static_cast<const Executable&>(*launch.executable).tilingOf(launch)),
      itemsOfTile_(tiling_.itemsOfTile()) {
  const device::NdRange& range = launch.range;
  for (size_t i = 0; i < 3; ++i) {
    info_.globalOffset[i] = range.offset[i];
    info_.globalSize[i] = range.global[i];
    info_.localSize[i] = range.local[i];
    info_.groupCount[i] = range.groupCount(i);
    info_.tileSize[i] = tiling_.tile[i];
  }
  const bool isFlat = (kernel_.description.flatDimensions & 1) != 0;
  if (isFlat && !tiling_.beginsAtMultiples())
    facts_.zeroOffset = false;
  info_.workDim = range.workDim;
  info_.print = PrintSink::print;
  info_.printState = &sink_;
  if (configuredChecks().any()) [[unlikely]] {
    checked_.emplace(launch, kernel_.description);
    checkedInfo_.extents = checked_->extents.data();
    checkedInfo_.state = &*checked_;
    checkedInfo_.overlaps = checked_->overlaps();
    checkedInfo_.unreadable = checked_->argumentsThat(&abi::MemoryExtent::isUnreadable);
    checkedInfo_.unwritable = checked_->argumentsThat(&abi::MemoryExtent::isUnwritable);
    checkedInfo_.written = checked_->written.data();
    checkedInfo_.isAnyUnwritten = KnownMemory::get().isAnyUnwritten() ? 1 : 0;
    checkedInfo_.sharedElements = isOneRow() ? checkedInfo_.overlaps : ~uint64_t{0};
  }
  choosePieces();
  localBytes_ = kernel_.description.localBytes;

  arguments_ = launch.arguments.data();
  if (kernel_.hasLocalArguments)
    placeLocalArguments();
}

bool KernelRun::isOneRow() const {
  return info_.globalSize[1] == 1 && info_.globalSize[2] == 1 &&
         info_.globalOffset[0] < INT32_MAX &&
         info_.globalSize[0] <= INT32_MAX - info_.globalOffset[0];
}

void KernelRun::choosePieces() {
  const auto& [columns, rows, planes] = tiling_.count;
  while (tilesOfPiece_ * info_.tileSize[0] < itemsInRowOfPiece &&
         columns / tilesOfPiece_ / 2 * rows * planes >= fewPieces)
    tilesOfPiece_ *= 2;
  piecesOfRow_ = device::countOf(columns, tilesOfPiece_);
}

void KernelRun::placeLocalArguments() {
  std::byte* const placed = placedArguments_.emplace(launch_.arguments).data();
  arguments_ = placed;
  for (const abi::KernelArgument& argument : kernel_.description.arguments) {
    if (argument.kind != abi::ArgumentKind::Local)
      continue;
    uint64_t bytes = 0;
    std::memcpy(&bytes, placed + argument.offset, sizeof(bytes));
    const uint64_t offset = roundUp(localBytes_, argument.alignment);
    std::memcpy(placed + argument.offset, &offset, sizeof(offset));
    localBytes_ = offset + bytes;
  }
}

KernelRun::PreparedCode KernelRun::prepareLatest() const {
  Scratch& memory = Scratch::ofThread();
  const auto prepare = [&](const Version& version) {
    uint64_t bytes = version.kernel->contextBytes(itemsOfTile_);
    if (version.audit)
      bytes = std::max(bytes, version.audit->challenger().contextBytes(itemsOfTile_));
    return PreparedCode{version, memory.prepare(localBytes_, bytes, checked_.has_value())};
  };
  const Version latest = latestVersion();
  const PreparedCode prepared = prepare(latest);
  const bool isBaseline = latest.kernel == &kernel_ && !latest.audit;
  return prepared.scratch || isBaseline ? prepared : prepare({&kernel_});
}

cl_int KernelRun::run(uint64_t begin, uint64_t end, TimeLimit& limit) {
  return faultHandling() == FaultHandling::Off ? runPieces(begin, end, nullptr, limit)
                                               : runWatched(begin, end, limit);
}

cl_int KernelRun::runWatched(uint64_t begin, uint64_t end, TimeLimit& limit) {
  limit.begin();
  FaultFrame frame(kernel_.description.name, limit.deadline());
  const cl_int status = runPieces(begin, end, &frame, limit);
  if (status != CL_SUCCESS && (frame.isOverdue() || limit.isExceeded()) && limit.end())
    log::error(sentence("the kernel '", kernel_.description.name,
                        "' is ended: it has run for more than the ",
                        config().get(Option::KernelTime), " seconds of QUERN_KERNEL_TIME"));
  return status;
}

FaultFrame::Position KernelRun::positionOf(const std::array<uint64_t, 3>& tile) const {
  FaultFrame::Position position = {.dimensions = static_cast<uint32_t>(info_.workDim)};
  for (size_t i = 0; i < tile.size(); ++i) {
    const uint64_t first = tile[i] * info_.tileSize[i];
    position.first[i] = info_.globalOffset[i] + first;
    position.last[i] =
        info_.globalOffset[i] + std::min(first + info_.tileSize[i], info_.globalSize[i]) - 1;
  }
  return position;
}

/// False where the kernel is given up, which jumps back to here: over frames of the kernel's own
/// code, which have nothing to clean up, and out of a signal handler, for which the floating-point
/// modes are the default ones, as for kernels. No thread is taken out of a function of ours that
/// kernels call (FaultFrame::Outside).
// Kernels carry no type information for the sanitizer's check of indirect calls, and nothing may
// lie in front of them.
[[clang::no_sanitize("function")]] bool KernelRun::call(const Kernel& code,
                                                        const abi::GroupScratch* scratch,
                                                        uint64_t x, uint64_t next, uint64_t y,
                                                        uint64_t z, FaultFrame* frame) {
  if (!frame) {
    code.entry(arguments_, &info_, scratch, x, next, y, z);
    return true;
  }
  const FaultFrame::Position position = positionOf({x, y, z});
  if (sigsetjmp(frame->back(), /*savemask=*/0) != 0)
    return false;
  frame->enter(position);
  code.entry(arguments_, &info_, scratch, x, next, y, z);
  frame->leave();
  return true;
}

cl_int KernelRun::runPieces(uint64_t begin, uint64_t end, FaultFrame* frame,
                            const TimeLimit& limit) {
  const Specialisation* specialisations = kernel_.specialisations.load(std::memory_order_acquire);
  PreparedCode code = prepareLatest();
  if (!code.scratch)
    return CL_OUT_OF_RESOURCES;
  std::optional<CheckedThread> checkedThread;
  if (checked_) [[unlikely]]
    checkedThread.emplace(Scratch::ofThread().checked());
  const uint64_t countX = tiling_.count[0], countY = tiling_.count[1];
  const auto& [firstX, firstY, firstZ] = tiling_.first;
  uint64_t x = 0, y = 0, z = 0;
  if (begin != 0) {
    x = begin % piecesOfRow_ * tilesOfPiece_;
    const uint64_t row = begin / piecesOfRow_;
    y = row % countY;
    z = row / countY;
  }
  Pace pace(isLong());
  for (uint64_t left = end - begin; left > 0;) {
    const uint64_t pieces = std::min(left, piecesOfRow_ - x / tilesOfPiece_);
    const uint64_t beginX = x, endX = std::min(x + pieces * tilesOfPiece_, countX);
    while (x < endX) {
      if (frame && (frame->isOverdue() || limit.isExceeded()))
        return CL_OUT_OF_RESOURCES;
      // Better code may come at any time.
      if (const Specialisation* latest = kernel_.specialisations.load(std::memory_order_acquire);
          latest != specialisations ||
          (code.version.audit && code.version.audit->winner() != nullptr)) {
        specialisations = latest;
        if (const PreparedCode better = prepareLatest(); better.scratch)
          code = better;
        else
          code.version.audit = nullptr;
      }
      PerformanceAudit* const audit = code.version.audit;
      const PerformanceAudit::Turn turn = audit ? audit->next() : PerformanceAudit::Turn();
      const Kernel& kernel = audit ? audit->versionOf(turn) : *code.version.kernel;
      // Only baseline code is urgently replaced.
      const bool isBaseline = &kernel == &kernel_;
      const bool isCounted = kernel.hasTrigger() && (isBaseline ? pace.counts() : isLong());
      const bool isTimed = isCounted || audit;
      const uint64_t tiles = frame ? 1
                             : audit || (isCounted && isBaseline)
                                 ? pace.tiles(turn.expected * static_cast<double>(itemsOfTile_))
                                 : endX - x;
      const uint64_t next = x + std::min(tiles, endX - x);
      const uint64_t start = isTimed ? now() : 0;
      if (!call(kernel, code.scratch, firstX + x, firstX + next, firstY + y, firstZ + z, frame))
        return CL_OUT_OF_RESOURCES;
      const uint64_t took = isTimed ? now() - start : 0;
      if (isTimed)
        pace.note(took);
      if (isCounted) {
        counted_.fetch_add(took, std::memory_order_relaxed);
        kernel.addTime(took, launch_);
      }
      if (audit)
        audit->note(turn, took, (next - x) * itemsOfTile_, frame || (x == beginX && next == endX));
      x = next;
    }
    left -= pieces;
    x = 0;
    if (++y == countY) {
      y = 0;
      ++z;
    }
  }
  return CL_SUCCESS;
}

void KernelRun::endUnmeasured() {
  sink_.flush();
  checkGuards(kernel_.description.name);
}

void KernelRun::end(uint64_t nanoseconds) {
  endUnmeasured();
  if (isLong())
    return;
  if (const Kernel& code = *latestVersion().kernel; code.hasTrigger())
    code.addTime(nanoseconds -
                     std::min(nanoseconds, counted_.exchange(0, std::memory_order_relaxed)),
                 launch_);
}

} // namespace quern::cpu
