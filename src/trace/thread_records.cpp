#include "trace/thread_records.h"

#include <fstream>
#include <utility>

#include <pthread.h>
#include <unistd.h>

#include "base/sentence.h"

namespace quern::trace {

ThreadRecords::ThreadRecords(BlockPool& pool)
    : pool_(pool), writing_(pool.takeAnyway()), reading_(writing_), thread_(gettid()) {
  writing_->next = writing_;
  writing_->used.store(0, std::memory_order_relaxed);
  writing_->state.store(Block::State::Open, std::memory_order_relaxed);
  char name[16] = {};
  pthread_getname_np(pthread_self(), name, sizeof(name));
  firstName_ = name;
}

ThreadRecords::~ThreadRecords() {
  Block* block = writing_->next;
  writing_->next = nullptr;
  while (block)
    pool_.giveBack(std::exchange(block, block->next));
}

std::string ThreadRecords::threadName() const {
  std::ifstream file(sentence("/proc/self/task/", thread_, "/comm"));
  std::string name;
  std::getline(file, name);
  if (!name.empty())
    return name;
  return firstName_.empty() ? sentence("thread ", thread_) : firstName_;
}

/// The next block of the ring where that is empty again, or a new one before it. Two are any
/// thread's, so that there is always room once the writer has taken all.
bool ThreadRecords::beginBlock() {
  Block* next = writing_->next;
  if (next->state.load(std::memory_order_acquire) != Block::State::Empty) {
    Block* const added = next == writing_ ? pool_.takeAnyway() : pool_.take();
    if (!added)
      return false;
    added->next = next;
    writing_->next = next = added;
  }
  next->used.store(0, std::memory_order_relaxed);
  next->state.store(Block::State::Open, std::memory_order_release);
  writing_->state.store(Block::State::Closed, std::memory_order_release);
  writing_ = next;
  used_ = 0;
  return true;
}

} // namespace quern::trace
