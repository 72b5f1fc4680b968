#include "trace/trace_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "base/sentence.h"
#include "trace/trace.h"

namespace quern::trace {

namespace {

/// Numbers of processes that no system gives: a group of rows is one.
constexpr int64_t firstGroup = 5'000'000;
/// Threads of one such process: so many rows for each track.
constexpr size_t mostLanes = 64;
/// Commands to which arrows can be drawn later.
constexpr size_t mostShown = 1 << 16;
/// In nanoseconds.
constexpr uint64_t shortestWait = 1000;
/// Arrows whose earlier end is not known.
constexpr size_t mostWaiting = 1 << 16;

template <typename Record> Record read(const std::byte* bytes) {
  Record record;
  std::memcpy(&record, bytes, sizeof(record));
  return record;
}

std::string sizeText(const std::array<uint64_t, 3>& sizes, uint32_t dimensions) {
  std::string text = sentence(sizes[0]);
  for (uint32_t i = 1; i < dimensions; ++i)
    text += sentence(" x ", sizes[i]);
  return text;
}

} // namespace

Result<TraceFile> TraceFile::create(const std::string& path) {
  FileDescriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file)
    return Status::error(CL_INVALID_VALUE, sentence("the timeline \"", path,
                                                    "\" cannot be made: ", std::strerror(errno)));
  return TraceFile(std::move(file));
}

TraceFile::TraceFile(FileDescriptor file)
    : text_(std::move(file), now()), process_(getpid()), names_(Names::get()), shown_(mostShown) {
  text_.nameRow("process_name", {.process = process_}, "program");
}

bool TraceFile::addFrom(ThreadRecords& thread) {
  return thread.take([&](Kind kind, const std::byte* bytes) {
    switch (kind) {
    case Kind::Slice:
      return add(read<Slice>(bytes), thread);
    case Kind::Queued:
      return add(QueuedLaunch{.queued = read<Queued>(bytes)});
    case Kind::QueuedLaunch:
      return add(read<QueuedLaunch>(bytes));
    case Kind::Dependency:
      return add(read<Dependency>(bytes));
    case Kind::Ended:
      return add(read<Ended>(bytes));
    }
  });
}

void TraceFile::nameThread(const ThreadRecords& thread) {
  if (namedThreads_.insert(thread.thread()).second)
    text_.nameRow("thread_name",
                  {.process = process_, .thread = static_cast<uint64_t>(thread.thread())},
                  escape(thread.threadName()));
}

void TraceFile::add(const Slice& slice, const ThreadRecords& thread) {
  nameThread(thread);
  text_.beginSlice(slice.category, names_.escaped(slice.name),
                   {.process = process_, .thread = static_cast<uint64_t>(thread.thread())},
                   slice.started, slice.ended);
  if (slice.detail != 0)
    text_.addText("detail", names_.escaped(slice.detail));
  if (slice.argument.key)
    text_.addNumber(slice.argument.key, slice.argument.value);
  text_.end();
}

void TraceFile::add(const QueuedLaunch& launch) {
  Unfinished& command = unfinished_[launch.queued.command];
  command.launch = launch;
  command.isQueued = true;
  showIfComplete(launch.queued.command);
}

/// Comes before what the same thread records next: that the later command was enqueued.
void TraceFile::add(const Dependency& dependency) {
  unfinished_[dependency.later].earlier.push_back(dependency.earlier);
}

void TraceFile::add(const Ended& ended) {
  Unfinished& command = unfinished_[ended.command];
  command.ended = ended;
  command.hasEnded = true;
  showIfComplete(ended.command);
}

void TraceFile::showIfComplete(uint64_t number) {
  const auto found = unfinished_.find(number);
  const Unfinished& command = found->second;
  if (!command.isQueued || !command.hasEnded)
    return;
  const Place place = placeOf(command);
  showWaiting(command, place);
  show(command, place);
  newest_ = std::max(newest_, number);
  Shown& shown = shown_[number % mostShown];
  shown = {number, place, command.ended.started, command.ended.ended};
  tie(command.earlier, shown);
  unfinished_.erase(found);
}

void TraceFile::nameLane(const Place& place, Track track, size_t lane) {
  const Names::Row* const row = names_.row(track);
  if (!row)
    return text_.nameRow("process_name", place, "more queues");
  if (namedGroups_.insert(row->group).second)
    text_.nameRow("process_name", place, escape(row->groupName));
  const std::string name = escape(row->name);
  text_.nameRow("thread_name", place,
                lane == 0 ? name : sentence(name, ", beside (", lane + 1, ")"));
}

Place TraceFile::placeOf(const Unfinished& command) {
  const Track track = command.launch.queued.track;
  std::vector<uint64_t>& ends = lanes_[track];
  size_t lane = 0;
  while (lane < ends.size() && ends[lane] > command.ended.started)
    ++lane;
  const bool isNew = lane == ends.size() && lane < mostLanes;
  if (isNew)
    ends.push_back(0);
  lane = std::min(lane, mostLanes - 1);
  ends[lane] = command.ended.ended;
  const Names::Row* const row = names_.row(track);
  // Rows without a name are a group of their own, before the others.
  const Place place = {.process = firstGroup + (row ? int64_t{row->group} + 1 : 0),
                       .thread = uint64_t{track} * mostLanes + lane};
  if (isNew)
    nameLane(place, track, lane);
  return place;
}

void TraceFile::show(const Unfinished& command, const Place& place) {
  const Queued& queued = command.launch.queued;
  const Ended& ended = command.ended;
  const auto sinceOrigin = [&](uint64_t time) { return time - std::min(time, text_.origin()); };
  text_.beginSlice(queued.category, names_.escaped(queued.name), place, ended.started, ended.ended);
  text_.addNumber("command", queued.command);
  text_.addNumber("queued_ns", sinceOrigin(queued.time));
  text_.addNumber("submitted_ns", sinceOrigin(ended.submitted));
  if (queued.bytes != 0)
    text_.addNumber("bytes", queued.bytes);
  if (const uint32_t dimensions = command.launch.dimensions; dimensions != 0) {
    text_.addText("global_size", sizeText(command.launch.global, dimensions));
    text_.addText("local_size", sizeText(command.launch.local, dimensions));
    text_.addNumber("packet_width", command.launch.packetWidth);
  }
  if (ended.isGrown)
    text_.addNumber("grown", 1);
  if (ended.status < 0)
    text_.addText("status", sentence(ended.status));
  text_.end();
}

/// From the enqueue to the start, on rows that the viewer makes, because many may wait at a time.
/// Without what nobody would see.
void TraceFile::showWaiting(const Unfinished& command, const Place& place) {
  const Queued& queued = command.launch.queued;
  const Ended& ended = command.ended;
  if (queued.time == 0 || ended.started < queued.time + shortestWait)
    return;
  const std::string_view name = names_.escaped(queued.name);
  const auto begin = [&](char phase, uint64_t time) {
    text_.begin(phase, "waiting", name, place, time);
    text_.setId(queued.command);
  };
  begin('b', queued.time);
  text_.end();
  begin('e', ended.started);
  text_.end();
}

/// Draws the arrows that have both ends now.
void TraceFile::tie(const std::vector<uint64_t>& earlier, const Shown& shown) {
  for (const uint64_t number : earlier)
    if (const Shown& other = shown_[number % mostShown]; other.command == number)
      addArrow(other, shown);
    else if (number + mostShown > newest_ && waiting_.size() < mostWaiting)
      waiting_.emplace(number, shown);
  const auto [first, last] = waiting_.equal_range(shown.command);
  for (auto later = first; later != last; ++later)
    addArrow(shown, later->second);
  waiting_.erase(first, last);
}

void TraceFile::addArrow(const Shown& earlier, const Shown& later) {
  ++arrows_;
  // An arrow begins and ends within the slices that it ties.
  const uint64_t start = earlier.ended > earlier.started
                             ? std::max(earlier.started, earlier.ended - 1)
                             : earlier.ended;
  text_.begin('s', "dependency", "waits for", earlier.place, start);
  text_.setId(arrows_);
  text_.end();
  text_.begin('f', "dependency", "waits for", later.place, later.started);
  text_.setId(arrows_);
  text_.bindToSlice();
  text_.end();
}

} // namespace quern::trace
