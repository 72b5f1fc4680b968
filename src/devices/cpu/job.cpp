#include "devices/cpu/job.h"

#include <algorithm>

namespace quern::cpu {

namespace {

/// A claim is for at least this many nanoseconds of work, where that is known: to make one costs
/// a twentieth of that.
constexpr double leastBatchNs = 1'000;

} // namespace

void Job::open(device::Command& newCommand, uint32_t threads) {
  command = &newCommand;
  participants = 1;
  exhausted = false;
  listed = false;
  next = nullptr;
  run_.emplace(newCommand.work);
  status_.store(CL_SUCCESS, std::memory_order_relaxed);
  time_.store(0, std::memory_order_relaxed);
  if (ranges_.size() < threads)
    ranges_ = std::vector<Range>(threads);
  const uint64_t count = pieces();
  rangeCount_ = static_cast<uint32_t>(std::min<uint64_t>(threads, std::max<uint64_t>(count, 1)));
  uint64_t begin = 0;
  const double cost = pieceCost();
  leastWanted_ = cost > 0 ? std::max<uint64_t>(static_cast<uint64_t>(leastBatchNs / cost), 1) : 1;
  for (uint32_t i = 0; i < rangeCount_; ++i) {
    const uint64_t size = count / rangeCount_ + (i < count % rangeCount_);
    ranges_[i].next.store(begin, std::memory_order_relaxed);
    ranges_[i].end = begin += size;
  }
}

std::optional<Claim> Job::claim(uint32_t home, uint64_t wanted) {
  for (uint32_t i = 0; i < rangeCount_; ++i) {
    Range& range = ranges_[(home + i) % rangeCount_];
    uint64_t begin = range.next.load(std::memory_order_relaxed);
    while (begin < range.end) {
      // Never more than a quarter of what is left, so that the threads end at about the same time.
      const uint64_t left = range.end - begin;
      const uint64_t end = begin + std::min({wanted, std::max(left / 4, leastWanted_), left});
      if (range.next.compare_exchange_weak(begin, end, std::memory_order_relaxed))
        return Claim{begin, end};
    }
  }
  return std::nullopt;
}

void Job::run(const Claim& claim) {
  if (const cl_int status = run_->run(claim.begin, claim.end); status != CL_SUCCESS)
    status_.store(status, std::memory_order_relaxed);
}

cl_int Job::close() {
  run_->end(time_.load(std::memory_order_relaxed));
  run_.reset();
  const cl_int status = status_.load(std::memory_order_relaxed);
  return status == CL_SUCCESS ? CL_COMPLETE : status;
}

} // namespace quern::cpu
