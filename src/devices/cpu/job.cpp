#include "devices/cpu/job.h"

#include <algorithm>
#include <cmath>

namespace quern::cpu {

namespace {

/// A claim is for at least this many nanoseconds of work, where that is known: to make one costs
/// a twentieth of that.
constexpr double leastBatchNs = 1'000;
/// Where long claims are better, a thread makes so many for its range, if they take no longer.
constexpr uint64_t longClaims = 4;
constexpr double longestNs = 2'000'000;

/// A thread that joins is called, takes its turn with the others at the job, and fetches what it
/// works on from the caches of others: all of them together take so much longer. Measured on 32
/// cores of a Granite Rapids, from 16 threads to 32.
constexpr double joinNs = 500;

/// How many threads run in the shortest time what takes one thread so long: the least of
/// `nanoseconds / threads + joinNs * threads`. All where nothing is known.
uint32_t mostUseful(double nanoseconds, uint32_t threads) {
  const double useful = std::sqrt(nanoseconds / joinNs);
  if (nanoseconds <= 0 || useful >= threads)
    return threads;
  return std::min(std::max(static_cast<uint32_t>(std::lround(useful)), 2u), threads);
}

uint64_t piecesFor(double nanoseconds, double pieceCost) {
  return pieceCost > 0 ? std::max<uint64_t>(static_cast<uint64_t>(nanoseconds / pieceCost), 1) : 1;
}

} // namespace

void Job::open(Team& newTeam, uint32_t threads) {
  team_.store(&newTeam, std::memory_order_relaxed);
  threads_ = threads;
  run_.emplace(*command->work);
  limit_.emplace();
  status_.store(CL_SUCCESS, std::memory_order_relaxed);
  time_.store(0, std::memory_order_relaxed);
  if (!run_->hasStages() || !openNext())
    dealOut();
}

bool Job::openNext() {
  if (!run_->hasStages())
    return false;
  cl_int status = CL_SUCCESS;
  const uint64_t start = now();
  const bool isOpen = run_->advance(status);
  addTime(now() - start);
  if (status != CL_SUCCESS)
    status_.store(status, std::memory_order_relaxed);
  if (isOpen)
    dealOut();
  return isOpen;
}

void Job::dealOut() {
  const uint64_t count = pieces();
  pieceCost_.store(run_->pieceCost(), std::memory_order_relaxed);
  mostUseful_ = mostUseful(cost(), threads_);
  expectedTime_.reset();
  if (mostUseful_ < threads_)
    expectedTime_ = cost() / mostUseful_;
  rangeCount_ =
      static_cast<uint32_t>(std::min<uint64_t>(mostUseful_, std::max<uint64_t>(count, 1)));
  uint64_t begin = 0;
  leastWanted_ = piecesFor(leastBatchNs, pieceCost());
  if (run_->prefersLongRanges())
    leastWanted_ = std::min((count / rangeCount_ + longClaims - 1) / longClaims,
                            piecesFor(longestNs, pieceCost()));
  for (uint32_t i = 0; i < rangeCount_; ++i) {
    const uint64_t size = count / rangeCount_ + (i < count % rangeCount_);
    ranges_[i].next.store(begin, std::memory_order_relaxed);
    ranges_[i].end = begin += size;
  }
  const uint64_t stage = participation_.load(std::memory_order_relaxed) / oneStage + 1;
  participation_.store(stage * oneStage + oneOfMost + oneThread);
}

std::optional<Job::Invitation> Job::invitation() const {
  const uint64_t participation = participation_.load();
  if (!wantsThreads(participation))
    return std::nullopt;
  return Invitation{participation, team_.load(std::memory_order_relaxed)};
}

bool Job::join(const Invitation& invitation) {
  uint64_t expected = invitation.participation;
  const uint64_t next = expected + oneThread;
  if (!participation_.compare_exchange_strong(expected, next))
    return false;
  if (!wantsThreads(next))
    invitation.team->openJobs.fetch_sub(1);
  return true;
}

bool Job::leave() {
  Team& own = team(); // the job may be free, or another team's, as soon as it has been left
  const uint64_t before = participation_.fetch_sub(oneThread);
  if (mostOf(before) > 1 && !wantsThreads(before))
    own.openJobs.fetch_add(1);
  return countOf(before) == 1 && mostOf(before) == 0;
}

bool Job::setMost(uint32_t most) {
  uint64_t before = participation_.load();
  uint64_t after = 0;
  do {
    if (mostOf(before) == 0)
      return false;
    after = before - mostOf(before) * oneOfMost + most * oneOfMost;
  } while (!participation_.compare_exchange_weak(before, after));
  team().openJobs.fetch_add(static_cast<int32_t>(wantsThreads(after)) -
                            static_cast<int32_t>(wantsThreads(before)));
  return true;
}

void Job::letIn() {
  setMost(mostUseful_);
}

void Job::letAllIn() {
  if (mostOf(participation_.load()) > 1) // nobody can find it otherwise
    setMost(threads_);
}

bool Job::shut() {
  return setMost(0);
}

std::optional<Claim> Job::claim(uint32_t home, uint64_t wanted) {
  for (uint32_t i = 0; i < rangeCount_; ++i) {
    Range& range = ranges_[(home + i) % rangeCount_];
    uint64_t begin = range.next.load(std::memory_order_relaxed);
    while (begin < range.end) {
      // Never more than a quarter of what is left, so that the threads end at about the same time.
      const uint64_t left = range.end - begin;
      const uint64_t size = std::max(std::min(wanted, left / 4), leastWanted_);
      const uint64_t end = begin + std::min(size, left);
      if (range.next.compare_exchange_weak(begin, end, std::memory_order_relaxed))
        return Claim{begin, end};
    }
  }
  return std::nullopt;
}

void Job::run(const Claim& claim) {
  if (const cl_int status = run_->run(claim.begin, claim.end, *limit_); status != CL_SUCCESS)
    status_.store(status, std::memory_order_relaxed);
}

cl_int Job::close() {
  run_->end(time_.load(std::memory_order_relaxed));
  run_.reset();
  const cl_int status = status_.load(std::memory_order_relaxed);
  return status == CL_SUCCESS ? CL_COMPLETE : status;
}

} // namespace quern::cpu
