#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "trace/event_text.h"
#include "trace/names.h"
#include "trace/records.h"
#include "trace/thread_records.h"

namespace quern::trace {

/// Makes events of records: joins what different threads have recorded of a command, in any order,
/// and gives each its row. What it keeps is bounded by the number of commands that have not ended,
/// but for the latest ones, to which arrows may be drawn. Not thread-safe.
class TraceFile {
public:
  /// Replaces what `path` names. Fails with CL_INVALID_VALUE.
  static Result<TraceFile> create(const std::string& path);

  /// Adds at most one block of records. False when there is nothing more.
  bool addFrom(ThreadRecords& records);
  /// What was added is in the file when this returns true. False when it cannot be written: then
  /// the file has what it had before.
  bool write() { return text_.write(); }
  /// Bytes that `write` would write.
  size_t unwritten() const { return text_.unwritten(); }

private:
  explicit TraceFile(FileDescriptor file);

  /// A command whose records have not all come.
  struct Unfinished {
    QueuedLaunch launch; ///< no dimensions: no kernel
    Ended ended;
    bool isQueued = false, hasEnded = false;
    std::vector<uint64_t> earlier; ///< the commands that it waited for
  };
  /// A command in the timeline.
  struct Shown {
    uint64_t command = 0;
    Place place;
    uint64_t started = 0, ended = 0;
  };

  void add(const Slice& slice, const ThreadRecords& thread);
  void add(const QueuedLaunch& launch);
  void add(const Dependency& dependency);
  void add(const Ended& ended);
  void showIfComplete(uint64_t command);
  void show(const Unfinished& command, const Place& place);
  void showWaiting(const Unfinished& command, const Place& place);
  void tie(const std::vector<uint64_t>& earlier, const Shown& later);
  void addArrow(const Shown& earlier, const Shown& later);
  void nameThread(const ThreadRecords& thread);
  /// The row among those of the command's track that is free when it starts.
  Place placeOf(const Unfinished& command);
  void nameLane(const Place& place, Track track, size_t lane);

  EventText text_;
  const int64_t process_;
  Names& names_;
  uint64_t arrows_ = 0;
  std::unordered_set<int> namedThreads_;
  std::unordered_set<uint32_t> namedGroups_;
  /// For each track the ends of the last events in its rows.
  std::unordered_map<Track, std::vector<uint64_t>> lanes_;
  std::unordered_map<uint64_t, Unfinished> unfinished_;
  std::vector<Shown> shown_; ///< by the number's lowest bits
  uint64_t newest_ = 0;      ///< the greatest number of a command that was shown
  /// By the earlier command, which has not come yet: those that waited for it.
  std::unordered_multimap<uint64_t, Shown> waiting_;
};

} // namespace quern::trace
