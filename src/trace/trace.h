#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "trace/records.h"

/// The timeline of a process (option QUERN_TRACE). A record goes to memory of the thread that makes
/// it, as it is and without a lock. Texts of the file are made of records when the process exits,
/// and before that by a thread that takes a hundredth of a processor's time at most while anything
/// is recorded, and by threads that find no more room. All functions are thread-safe; where there
/// is no timeline they do nothing.
namespace quern::trace {

namespace detail {
extern std::atomic<bool> isRecording;
}

/// Whether there is a timeline; costs next to nothing.
inline bool isOn() {
  return detail::isRecording.load(std::memory_order_relaxed);
}

/// Begins the timeline where the option asks for one and none has begun. The child of a fork has
/// one of its own where the file's name has the number of the process in it.
void begin();

/// Writes what has been recorded so far. For a process that may end at once.
void flush();

/// CLOCK_MONOTONIC in nanoseconds.
uint64_t now();

/// `text` for records; the same number for the same text. Takes a lock: for what is made once.
Name nameOf(std::string_view text);

/// A row called `name` below those of `group`.
Track addTrack(std::string_view group, std::string_view name);

/// A number that no other command has; never 0.
uint64_t nextCommand();

void record(const Slice& slice);
void record(const Queued& queued);
void record(const QueuedLaunch& launch);
void record(const Dependency& dependency);
void record(const Ended& ended);

/// A slice from its construction to its end, on the thread that has it.
class Scope {
public:
  /// Literals, but for `detail`.
  Scope(const char* category, std::string_view name, std::string_view detail = {});
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  void setName(std::string_view name);
  void setDetail(std::string_view detail);
  void setArgument(const char* key, uint64_t value);

private:
  const bool isOn_;
  Slice slice_;
};

} // namespace quern::trace
