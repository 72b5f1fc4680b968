#pragma once

#include <array>
#include <cstdint>

/// What a timeline is made of, in the form in which threads keep it: each record has a fixed size
/// and no memory of its own. All times are nanoseconds of CLOCK_MONOTONIC.
namespace quern::trace {

/// A text that is kept once for all records that have it (nameOf); 0 is none.
using Name = uint32_t;

/// A row of the timeline that is no thread (addTrack), such as a command queue; 0 is none.
using Track = uint32_t;

enum class Kind : uint32_t { Slice, Queued, QueuedLaunch, Dependency, Ended };

struct Argument {
  const char* key = nullptr; ///< a literal; null where there is no argument
  uint64_t value = 0;
};

/// Something that a thread did for a while.
struct Slice {
  static constexpr Kind kind = Kind::Slice;
  const char* category = ""; ///< a literal
  Name name = 0;
  Name detail = 0;
  uint64_t started = 0, ended = 0;
  Argument argument;
};

/// One run of a command begins. What follows of it has the same number.
struct Queued {
  static constexpr Kind kind = Kind::Queued;
  uint64_t command = 0; ///< of nextCommand
  uint64_t time = 0;
  uint64_t bytes = 0;        ///< that it copies or fills; of a kernel, of the memory that it uses
  const char* category = ""; ///< a literal: "kernel", "transfer" or "other"
  Name name = 0;
  Track track = 0;
};

/// The same of a kernel.
struct QueuedLaunch {
  static constexpr Kind kind = Kind::QueuedLaunch;
  Queued queued;
  std::array<uint64_t, 3> global = {}, local = {};
  uint32_t dimensions = 0;
  uint32_t packetWidth = 0;
};

/// A command waits for another one. Recorded by the thread that enqueues the later one.
struct Dependency {
  static constexpr Kind kind = Kind::Dependency;
  uint64_t earlier = 0, later = 0; ///< numbers of commands
};

struct Ended {
  static constexpr Kind kind = Kind::Ended;
  uint64_t command = 0;
  uint64_t submitted = 0, started = 0, ended = 0;
  int32_t status = 0;
  /// Not 0: other commands were made part of it. Slices of the category "repeated" have the times
  /// of each.
  uint32_t isGrown = 0;
};

} // namespace quern::trace
