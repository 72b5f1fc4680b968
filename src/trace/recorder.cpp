#include "trace/recorder.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace quern::trace {

namespace {

constexpr auto shortestPause = std::chrono::milliseconds(100);
constexpr auto share = std::chrono::milliseconds(1);
constexpr int pausesInShares = 99;
/// Text is written when it is so much, in bytes.
constexpr size_t muchText = 1 << 20;

} // namespace

Recorder::Recorder(TraceFile file) : file_(std::move(file)) {}

std::shared_ptr<ThreadRecords> Recorder::addThread() {
  auto records = std::make_shared<ThreadRecords>(pool_);
  threads_.lock()->push_back(records);
  return records;
}

bool Recorder::writeUntil(Clock::time_point deadline) {
  auto file = file_.lock();
  // Threads that come now are next time's.
  const std::vector<std::shared_ptr<ThreadRecords>> threads = *threads_.lock();
  std::vector<const ThreadRecords*> done;
  for (bool anyLeft = true; anyLeft && Clock::now() < deadline;) {
    anyLeft = false;
    for (const std::shared_ptr<ThreadRecords>& records : threads) {
      const bool hasEnded = records->hasEnded();
      const bool isLeft = file->addFrom(*records);
      anyLeft = anyLeft || isLeft;
      if (hasEnded && !isLeft)
        done.push_back(records.get());
    }
    if (file->unwritten() >= muchText && !file->write())
      return false;
  }
  forget(done);
  return file->unwritten() == 0 || file->write();
}

void Recorder::forget(const std::vector<const ThreadRecords*>& ended) {
  if (!ended.empty())
    std::erase_if(*threads_.lock(), [&](const std::shared_ptr<ThreadRecords>& records) {
      return std::ranges::find(ended, records.get()) != ended.end();
    });
}

bool Recorder::writeAll() {
  return writeUntil(Clock::time_point::max());
}

void Recorder::writeForever() {
  for (auto pause = Clock::duration(shortestPause);;) {
    std::this_thread::sleep_for(pause);
    const Clock::time_point start = Clock::now();
    if (!writeUntil(start + share))
      return;
    pause = std::max<Clock::duration>(shortestPause, (Clock::now() - start) * pausesInShares);
  }
}

} // namespace quern::trace
