#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace quern::trace {

/// Where an event is in the timeline: a thread of a process, as viewers call rows and their groups.
struct Place {
  int64_t process = 0;
  uint64_t thread = 0;
};

/// The text of a timeline, event by event, in the "Trace Event Format" that Perfetto and
/// chrome://tracing open, as an array: one event on a line, so that a tool can read it in pieces.
/// The file is whole after each `write`, whatever becomes of the process. Texts that it is given
/// stand in strings of JSON as they are. Not thread-safe.
class EventText {
public:
  /// `origin`: the timeline's time 0.
  EventText(FileDescriptor file, uint64_t origin);

  uint64_t origin() const { return origin_; }
  size_t unwritten() const { return size_; }

  /// An event up to its arguments; `end` ends it. `phase` is the format's letter.
  void begin(char phase, std::string_view category, std::string_view name, const Place& place,
             uint64_t time);
  /// A slice with its length.
  void beginSlice(std::string_view category, std::string_view name, const Place& place,
                  uint64_t started, uint64_t ended);
  /// Parts of one thing have the same number.
  void setId(uint64_t id);
  /// An arrow ends in the slice around it.
  void bindToSlice() { append(",\"bp\":\"e\""); }
  void addNumber(std::string_view key, uint64_t value);
  void addText(std::string_view key, std::string_view value);
  void end();
  /// A name for the process or the thread of `place`: `what` says which.
  void nameRow(std::string_view what, const Place& place, std::string_view name);

  /// False when the file cannot be written: then it has what it had before.
  bool write();

private:
  void append(std::string_view text) {
    if (text_.size() - size_ < text.size()) [[unlikely]]
      text_.resize(2 * text_.size() + text.size());
    std::memcpy(text_.data() + size_, text.data(), text.size());
    size_ += text.size();
  }
  void appendNumber(uint64_t number);
  /// As microseconds.
  void appendTime(uint64_t nanoseconds);
  void beginArgument(std::string_view key);

  FileDescriptor file_;
  const uint64_t origin_;
  std::vector<char> text_; ///< `size_` of it are not written yet
  size_t size_ = 0;
  uint64_t bytes_ = 0;  ///< of the file, without what closes it
  bool isFirst_ = true; ///< nothing stands in the array yet
  bool hasArguments_ = false;
};

} // namespace quern::trace
