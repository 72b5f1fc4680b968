#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "base/mutex_protected.h"
#include "trace/block_pool.h"
#include "trace/thread_records.h"
#include "trace/trace_file.h"

namespace quern::trace {

/// Brings what threads record to the file. Thread-safe, and never destroyed: threads may record
/// while the process exits.
class Recorder {
public:
  explicit Recorder(TraceFile file);

  /// A place for what the calling thread records.
  std::shared_ptr<ThreadRecords> addThread();

  /// Writes all that has been recorded so far. False when the file cannot be written.
  bool writeAll();

  /// Writes for a hundredth of the time at most, until the file cannot be written.
  void writeForever();

private:
  using Clock = std::chrono::steady_clock;

  /// Writes until about `deadline`, from all threads in turn, so that what belongs together comes
  /// together.
  bool writeUntil(Clock::time_point deadline);
  void forget(const std::vector<const ThreadRecords*>& ended);

  BlockPool pool_;
  MutexProtected<TraceFile> file_; ///< locked before the other
  MutexProtected<std::vector<std::shared_ptr<ThreadRecords>>> threads_;
};

} // namespace quern::trace
