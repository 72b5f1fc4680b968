#include "team.h"

#include "host.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace quern::bench::host {
namespace {

class Team {
public:
  Team() : size_(std::max(1u, std::thread::hardware_concurrency())) {
    for (size_t thread = 1; thread < size_; ++thread)
      threads_.emplace_back([this, thread] { serve(thread); });
  }

  ~Team() {
    stopping_ = true;
    ++generation_;
    generation_.notify_all();
    for (std::thread& thread : threads_)
      thread.join();
  }

  size_t size() const { return size_; }

  void run(size_t count, void (*work)(void*, size_t, size_t), void* data) {
    work_ = work;
    data_ = data;
    count_ = count;
    busy_ = threads_.size();
    ++generation_; // publishes the fields above
    generation_.notify_all();
    runShare(0);
    for (size_t busy = busy_; busy != 0; busy = busy_)
      busy_.wait(busy);
  }

private:
  void runShare(size_t thread) {
    work_(data_, count_ * thread / size_, count_ * (thread + 1) / size_);
  }

  void serve(size_t thread) {
    for (unsigned seen = 0;;) {
      generation_.wait(seen);
      ++seen;
      if (stopping_)
        return;
      runShare(thread);
      if (--busy_ == 0)
        busy_.notify_one();
    }
  }

  size_t size_;
  std::vector<std::thread> threads_;
  std::atomic<unsigned> generation_ = 0;
  std::atomic<size_t> busy_ = 0;
  std::atomic<bool> stopping_ = false;
  void (*work_)(void*, size_t, size_t) = nullptr;
  void* data_ = nullptr;
  size_t count_ = 0;
};

Team& team() {
  static Team instance;
  return instance;
}

} // namespace

size_t threadCount() {
  return team().size();
}

void wakeAll() {
  parallel(threadCount(), [](size_t, size_t) {});
}

void onTeam(size_t count, void (*work)(void*, size_t, size_t), void* data) {
  team().run(count, work, data);
}

} // namespace quern::bench::host
