#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <variant>

#include <CL/cl.h>

#include "abi/program_image.h"
#include "base/ref.h"
#include "device/argument_block.h"
#include "device/memory.h"
#include "device/semaphore.h"

/// The work that the runtime hands to a device: plain data, one struct for each kind.
namespace quern::device {

class Executable;
class Graph;

/// How many parts of `part` there are in `size`, the last of which may be smaller. Most launches
/// have one part in all dimensions but one, and are not to divide there.
inline uint64_t countOf(uint64_t size, uint64_t part) {
  if (size <= part)
    return size != 0;
  return part == 1 ? size : size / part + (size % part != 0);
}

/// Sizes and offsets in work-items; unused dimensions have size 1 and offset 0. `local` is never
/// zero here.
struct NdRange {
  uint32_t workDim = 1;
  std::array<uint64_t, 3> offset = {0, 0, 0};
  std::array<uint64_t, 3> global = {1, 1, 1};
  std::array<uint64_t, 3> local = {1, 1, 1};

  uint64_t groupCount(size_t dimension) const {
    return countOf(global[dimension], local[dimension]);
  }
  /// Whether all work-groups have the local size.
  bool hasWholeGroups() const {
    const auto isWhole = [](uint64_t size, uint64_t part) {
      return size == part || size % part == 0;
    };
    return isWhole(global[0], local[0]) && isWhole(global[1], local[1]) &&
           isWhole(global[2], local[2]);
  }
  /// Above every global id.
  uint64_t idsEnd() const {
    uint64_t end = 0;
    for (size_t dimension = 0; dimension < global.size(); ++dimension)
      end = std::max(end, offset[dimension] + global[dimension]);
    return end;
  }
  bool operator==(const NdRange&) const = default;
};

/// Work-groups of an NDRange: in each dimension those from `begin` up to `end`, or up to the last.
struct GroupRange {
  std::array<uint64_t, 3> begin = {0, 0, 0};
  std::array<uint64_t, 3> end = {UINT64_MAX, UINT64_MAX, UINT64_MAX};

  bool operator==(const GroupRange&) const = default;
};

/// Runs one kernel. `arguments` has device addresses for buffers, handles for images
/// (device::Image), the bits of samplers (abi/sampler_bits.h) and, for a local argument, its size
/// in bytes, in whose place the kernel gets an offset.
struct LaunchKernel {
  Ref<Executable> executable;
  uint32_t kernel = 0; ///< index into the program image's kernels
  NdRange range;
  ArgumentBlock arguments;
  /// All that is known of the launch (device/launch_facts.h); nothing where code that relies on
  /// facts is not to run it.
  abi::LaunchFacts facts;
  /// The work-groups that run; ids and sizes are still those of all of `range`.
  GroupRange groups;
};

/// Copies `bytes` from source to destination, which do not overlap.
struct Copy {
  Place source;
  Place destination;
  uint64_t bytes = 0;
};

/// Copies a box of region[0] bytes x region[1] rows x region[2] slices. Pitches in bytes.
struct CopyRect {
  Place source;
  Place destination;
  uint64_t sourceRowPitch = 0, sourceSlicePitch = 0;
  uint64_t destinationRowPitch = 0, destinationSlicePitch = 0;
  std::array<uint64_t, 3> region = {0, 0, 0};
};

/// Repeats a pattern of `patternBytes` (1 to 128, a power of two) over `bytes`, a multiple of it.
struct Fill {
  Place destination;
  std::array<std::byte, 128> pattern = {};
  uint32_t patternBytes = 1;
  uint64_t bytes = 0;
};

/// Repeats a pattern over the rows of a box of region[0] bytes x region[1] rows x region[2] slices.
/// region[0] is a multiple of patternBytes (1 to 16, a power of two). Pitches in bytes.
struct FillRect {
  Place destination;
  uint64_t rowPitch = 0, slicePitch = 0;
  std::array<uint64_t, 3> region = {0, 0, 0};
  std::array<std::byte, 16> pattern = {};
  uint32_t patternBytes = 1;
};

/// Calls a host function on one of the device's threads (native kernels). Only where
/// Caps::nativeKernels.
struct CallHost {
  std::function<void()> function;
};

/// Takes part in ordering and does nothing else: markers, barriers, maps and migrations of shared
/// memory.
struct Nothing {};

/// Does what a graph says (device/graph.h), one that the same device made.
struct RunGraph {
  Ref<Graph> graph;
};

using Work = std::variant<Nothing, LaunchKernel, Copy, CopyRect, Fill, FillRect, CallHost, RunGraph,
                          UseSemaphores>;

/// What a queue remembers of the work that was appended to a command (Queue::append): each has its
/// own kind.
class AppendedWork {};

/// One submitted run of a piece of work. The submitter owns it and keeps it alive until `finished`;
/// the device calls each notification once, in the order started, finished, from any thread,
/// holding none of its locks.
class Command {
public:
  virtual ~Command() = default;

  /// Execution begins. `time` in nanoseconds of the device's clock (Device::timestamp); any number,
  /// here and in `finished`, unless the queue was asked for profiling.
  virtual void started(uint64_t time) = 0;
  /// Execution ended. `status` is CL_COMPLETE or the negative code that dependants see. The device
  /// does not touch the command afterwards: it may be gone when this returns. Nobody appends to the
  /// command any more when this returns.
  virtual void finished(cl_int status, uint64_t time) = 0;

  /// What to do. Others may run the same work at the same time: the submitter keeps it as it is
  /// until `finished`.
  const Work* work = nullptr;
  /// Whether more may be appended; never changes once the command is submitted.
  bool mayGrow = false;
  /// For the queue that the command was submitted to: how urgent it is.
  uint32_t rank = 0;
  /// For the queue that the command was submitted to, to chain it without allocating.
  Command* next = nullptr;
  /// For the queue that the command was submitted to, or will be.
  std::atomic<AppendedWork*> appended{nullptr};
};

} // namespace quern::device
