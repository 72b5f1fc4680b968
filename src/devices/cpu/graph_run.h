#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include <CL/cl.h>

#include "devices/cpu/time_limit.h"

namespace quern::cpu {

class Graph;
class WorkRun;

/// One run of a graph (graph.h), level by level: the work of a level waits for nothing but earlier
/// levels. A level that is worth it is a stage, whose pieces several threads run; the others are
/// run by the thread that comes to them.
class GraphRun {
public:
  explicit GraphRun(const Graph& graph) : graph_(&graph) {}
  GraphRun(const GraphRun&) = delete;

  /// Runs all of it on the calling thread, and may be called again.
  cl_int runAlone();

  /// Begins the next stage, once all pieces of the one before have run, on one thread. False when
  /// there is none and all has run. `status` is left alone where nothing failed on the way.
  bool advance(cl_int& status);
  /// Of the stage.
  uint64_t pieces() const { return pieces_; }
  double pieceCost() const { return pieceCost_; }
  /// Runs pieces of the stage. Thread-safe.
  cl_int run(uint64_t begin, uint64_t end);

  /// After all of it, which took `nanoseconds` on all threads together.
  void end(uint64_t nanoseconds);

private:
  /// What the threads that run a piece of work share.
  struct Progress {
    std::atomic<uint64_t> nanoseconds{0};
    TimeLimit limit;
  };
  /// What one piece of work has of a stage.
  struct Part {
    WorkRun* work;
    uint64_t end; ///< number of the first piece that is not its own
    std::unique_ptr<Progress> progress;
  };

  cl_int runHere(WorkRun& work) const;
  bool beginStage(size_t level);
  void endStage();
  void clearStage();

  const Graph* const graph_;
  /// Whether the time of each piece of work is taken, which costs more than a small one.
  bool isMeasured_ = false;
  size_t level_ = 0; ///< the next
  std::vector<Part> parts_;
  uint64_t pieces_ = 0;
  double pieceCost_ = 0;
};

} // namespace quern::cpu
