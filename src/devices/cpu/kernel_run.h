#pragma once

#include <array>
#include <cstdint>

#include "abi/cpu_kernel.h"
#include "base/bytes.h"
#include "device/command.h"
#include "devices/cpu/executable.h"
#include "devices/cpu/print_sink.h"

namespace quern::cpu {

/// One kernel launch, ready to run: a flat row of work-groups, first dimension fastest, any part of
/// which any thread may run. Refers to the launch, which must outlive it.
class KernelRun {
public:
  explicit KernelRun(const device::LaunchKernel& launch);
  KernelRun(const KernelRun&) = delete;
  KernelRun& operator=(const KernelRun&) = delete;

  /// Neighbouring work-groups in dimension 0, of which some are too small alone: code that has
  /// several of them to run can run their work-items in larger blocks.
  uint64_t pieces() const { return piecesOfRow_ * info_.groupCount[1] * info_.groupCount[2]; }
  uint64_t itemsOfPiece() const { return itemsOfGroup_ * groupsOfPiece_; }
  uint64_t items() const {
    return itemsOfGroup_ * info_.groupCount[0] * info_.groupCount[1] * info_.groupCount[2];
  }
  const Kernel& kernel() const { return kernel_; }

  /// Runs the pieces from `begin` up to `end` on the calling thread. CL_OUT_OF_RESOURCES, with none
  /// of them run, when there is no memory for a work-group.
  cl_int run(uint64_t begin, uint64_t end);

  /// After all work-groups, which took `nanoseconds` on all threads together: writes out what they
  /// printed.
  void end(uint64_t nanoseconds);

private:
  /// Whether its time is counted while it runs, so that better code can take over, and not just in
  /// the end, which costs a small launch less.
  bool isLong() const { return items() > mostItemsOfSmall; }
  static constexpr uint64_t mostItemsOfSmall = 4096;

  void choosePieces();
  void placeLocalArguments();

  const device::LaunchKernel& launch_;
  const Kernel& kernel_;
  const abi::LaunchFacts facts_;
  const uint64_t itemsOfGroup_;
  uint64_t groupsOfPiece_ = 1, piecesOfRow_ = 1;
  uint64_t localBytes_ = 0;
  uint64_t contextBytes_ = 0;
  std::byte* arguments_ = nullptr;
  abi::LaunchInfo info_;
  PrintSink sink_;
  /// The argument block, aligned for any vector type; larger ones have memory of their own.
  alignas(128) std::array<std::byte, 1024> smallArguments_;
  Bytes largeArguments_;
};

} // namespace quern::cpu
