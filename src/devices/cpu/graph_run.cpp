#include "devices/cpu/graph_run.h"

#include <algorithm>
#include <new>
#include <utility>

#include "devices/cpu/graph.h"

namespace quern::cpu {

cl_int GraphRun::runHere(WorkRun& work) const {
  TimeLimit limit;
  if (!isMeasured_) {
    const cl_int status = work.run(0, work.pieces(), limit);
    work.endUnmeasured();
    return status;
  }
  const uint64_t start = now();
  const cl_int status = work.run(0, work.pieces(), limit);
  work.end((now() - start) * Graph::runsOfAMeasurement, Graph::runsOfAMeasurement);
  return status;
}

cl_int GraphRun::runAlone() {
  isMeasured_ = graph_->takeTurn();
  cl_int status = CL_SUCCESS;
  for (WorkRun* const work : graph_->inOrder())
    if (const cl_int failure = runHere(*work); failure != CL_SUCCESS)
      status = failure;
  return status;
}

bool GraphRun::advance(cl_int& status) {
  if (level_ == 0)
    isMeasured_ = graph_->takeTurn();
  endStage();
  while (level_ < graph_->levels()) {
    const size_t level = level_++;
    if (beginStage(level))
      return true;
    for (WorkRun* const work : graph_->level(level))
      if (const cl_int failure = runHere(*work); failure != CL_SUCCESS)
        status = failure;
  }
  return false;
}

/// False where a thread should rather run the level alone.
bool GraphRun::beginStage(size_t level) {
  const std::span<WorkRun* const> works = graph_->level(level);
  if (works.size() == 1 && works.front()->pieces() == 1)
    return false;
  double cost = 0;
  for (const WorkRun* work : works)
    cost += work->cost();
  if (cost < costWorthSharing)
    return false;
  try {
    parts_.reserve(works.size());
    for (WorkRun* work : works)
      parts_.push_back({work, pieces_ += work->pieces(), std::make_unique<Progress>()});
  } catch (const std::bad_alloc&) {
    clearStage();
    return false;
  }
  pieceCost_ = cost / static_cast<double>(pieces_);
  return true;
}

void GraphRun::endStage() {
  for (const Part& part : parts_)
    if (isMeasured_)
      part.work->end(part.progress->nanoseconds.load(std::memory_order_relaxed) *
                         Graph::runsOfAMeasurement,
                     Graph::runsOfAMeasurement);
    else
      part.work->endUnmeasured();
  clearStage();
}

void GraphRun::clearStage() {
  parts_.clear();
  pieces_ = 0;
  pieceCost_ = 0;
}

cl_int GraphRun::run(uint64_t begin, uint64_t end) {
  cl_int status = CL_SUCCESS;
  auto part = std::ranges::upper_bound(parts_, begin, {}, &Part::end);
  for (uint64_t first = part == parts_.begin() ? 0 : std::prev(part)->end; begin < end; ++part) {
    const uint64_t last = std::min(end, part->end);
    const uint64_t start = isMeasured_ ? now() : 0;
    if (const cl_int failure = part->work->run(begin - first, last - first, part->progress->limit);
        failure != CL_SUCCESS)
      status = failure;
    if (isMeasured_)
      part->progress->nanoseconds.fetch_add(now() - start, std::memory_order_relaxed);
    begin = last;
    first = part->end;
  }
  return status;
}

void GraphRun::end(uint64_t nanoseconds) {
  graph_->noteTime(nanoseconds);
}

} // namespace quern::cpu
