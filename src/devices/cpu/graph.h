#pragma once

#include <atomic>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

#include "device/graph.h"
#include "devices/cpu/work_run.h"

namespace quern::cpu {

/// Work that is prepared once and run many times, any number of runs at once.
class Graph final : public device::Graph {
public:
  /// What `earlier`, a graph of this device in the same order or null, has prepared for the same
  /// work is used again.
  Graph(std::vector<Node> nodes, std::shared_ptr<const device::GraphOrder> order,
        const Graph* earlier);

  /// Every so many runs, the time of each piece of work is taken: by it is decided what is worth
  /// sharing, and when a kernel deserves better code.
  static constexpr uint64_t runsOfAMeasurement = 32;
  /// Whether the next run, which begins now, is one of these.
  bool takeTurn() const {
    return runs_.fetch_add(1, std::memory_order_relaxed) % runsOfAMeasurement == 0;
  }

  size_t levels() const { return levels_->size() - 1; }
  /// Work that waits for earlier levels alone.
  std::span<WorkRun* const> level(size_t number) const {
    return std::span(inOrder_).subspan((*levels_)[number],
                                       (*levels_)[number + 1] - (*levels_)[number]);
  }
  /// All levels, one after the other.
  std::span<WorkRun* const> inOrder() const { return inOrder_; }

  /// What all of it took last, in nanoseconds on all threads together; 0 before it has run.
  double time() const { return time_.load(std::memory_order_relaxed); }
  void noteTime(uint64_t nanoseconds) const {
    time_.store(static_cast<float>(nanoseconds), std::memory_order_relaxed);
  }

private:
  struct Prepared final : RefCounted {
    Prepared(const device::Work& work, Ref<const RefCounted> workOwner)
        : owner(std::move(workOwner)), run(work) {
      if (!run.isPrepared())
        throw std::bad_alloc();
    }
    const Ref<const RefCounted> owner;
    WorkRun run;
  };

  void sortIntoLevels();

  std::vector<Ref<Prepared>> prepared_;
  /// The nodes by their levels, and where each level begins in these, and where the last one ends.
  std::shared_ptr<const std::vector<uint32_t>> sorted_, levels_;
  std::vector<WorkRun*> inOrder_;
  mutable std::atomic<uint64_t> runs_{0};
  mutable std::atomic<float> time_{0};
};

} // namespace quern::cpu
