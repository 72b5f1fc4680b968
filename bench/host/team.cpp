#include "team.h"

#include "host.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace quern::bench::host {
namespace {

/// Chunks in a thread's share: enough for others to help with, and few enough to cost nothing.
constexpr size_t chunksPerShare = 8;
/// So long a thread waits awake before it sleeps.
constexpr std::chrono::microseconds awake{200};

/// Waits until `word` is no longer `old`.
template <typename T> void await(const std::atomic<T>& word, T old) {
  const auto start = std::chrono::steady_clock::now();
  while (word == old) {
    for (int pause = 0; pause < 64 && word == old; ++pause)
      __builtin_ia32_pause();
    if (std::chrono::steady_clock::now() - start > awake)
      word.wait(old);
  }
}

struct alignas(64) Share {
  std::atomic<size_t> next;
  size_t end;
};

class Team {
public:
  Team() : shares_(std::max(1u, std::thread::hardware_concurrency())) {
    for (size_t thread = 1; thread < size(); ++thread)
      threads_.emplace_back([this, thread] { serve(thread); });
  }

  ~Team() {
    stopping_ = true;
    ++generation_;
    generation_.notify_all();
    for (std::thread& thread : threads_)
      thread.join();
  }

  size_t size() const { return shares_.size(); }

  void run(size_t count, size_t grain, void (*work)(void*, size_t, size_t), void* data) {
    if (count <= grain || size() == 1)
      return work(data, 0, count);
    work_ = work;
    data_ = data;
    chunk_ = std::max({size_t{1}, grain, count / (size() * chunksPerShare)});
    for (size_t thread = 0; thread < size(); ++thread) {
      shares_[thread].next = count * thread / size();
      shares_[thread].end = count * (thread + 1) / size();
    }
    door_ = uint64_t{generation_ + 1} << generationShift; // publishes the fields above
    ++generation_;
    generation_.notify_all();
    workAs(0);
    door_ |= closed;
    for (uint64_t door = door_; (door & inside) != 0; door = door_)
      await(door_, door);
  }

private:
  /// Where threads come in to help: which call it leads to, whether that has ended, and how many
  /// are inside. Who comes late finds it closed, and nobody waits for them.
  static constexpr unsigned generationShift = 32;
  static constexpr uint64_t closed = uint64_t{1} << 31, inside = closed - 1;

  bool enter(unsigned generation) {
    uint64_t door = door_;
    while (door >> generationShift == generation && !(door & closed))
      if (door_.compare_exchange_weak(door, door + 1))
        return true;
    return false;
  }

  void leave() {
    --door_;
    door_.notify_one();
  }

  /// All chunks of a thread's own share, and then those that are left of the others'.
  void workAs(size_t thread) {
    for (size_t i = 0; i < size(); ++i) {
      Share& share = shares_[(thread + i) % size()];
      for (size_t begin; (begin = share.next.fetch_add(chunk_)) < share.end;)
        work_(data_, begin, std::min(begin + chunk_, share.end));
    }
  }

  void serve(size_t thread) {
    for (unsigned seen = 0;;) {
      await(generation_, seen);
      if (stopping_)
        return;
      seen = generation_;
      if (!enter(seen))
        continue;
      workAs(thread);
      leave();
    }
  }

  std::vector<Share> shares_;
  std::vector<std::thread> threads_;
  std::atomic<unsigned> generation_ = 0;
  std::atomic<uint64_t> door_ = closed;
  std::atomic<bool> stopping_ = false;
  void (*work_)(void*, size_t, size_t) = nullptr;
  void* data_ = nullptr;
  size_t chunk_ = 1;
};

Team& team() {
  static Team instance;
  return instance;
}

thread_local bool isAlone = false;

} // namespace

size_t threadCount() {
  return team().size();
}

void wakeAll() {
  parallel(threadCount(), 0, [](size_t, size_t) {});
}

std::string compiler() {
  return "g++ " __VERSION__ " " QUERN_BENCH_HOST_OPTIONS;
}

void onTeam(size_t count, size_t grain, void (*work)(void*, size_t, size_t), void* data) {
  if (isAlone)
    work(data, 0, count);
  else
    team().run(count, grain, work, data);
}

Alone::Alone() {
  isAlone = true;
}

Alone::~Alone() {
  isAlone = false;
}

} // namespace quern::bench::host
