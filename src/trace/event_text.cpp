#include "trace/event_text.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <utility>

#include <unistd.h>

namespace quern::trace {

namespace {

constexpr std::string_view closing = "\n]\n";
constexpr size_t firstBytes = 1 << 16;

} // namespace

EventText::EventText(FileDescriptor file, uint64_t origin)
    : file_(std::move(file)), origin_(origin), text_(firstBytes) {
  append("[");
}

void EventText::appendNumber(uint64_t number) {
  char digits[24];
  const char* const end = std::to_chars(digits, digits + sizeof(digits), number).ptr;
  append({digits, static_cast<size_t>(end - digits)});
}

void EventText::appendTime(uint64_t nanoseconds) {
  appendNumber(nanoseconds / 1000);
  const auto rest = static_cast<uint32_t>(nanoseconds % 1000);
  const char fraction[] = {'.', static_cast<char>('0' + rest / 100),
                           static_cast<char>('0' + rest / 10 % 10),
                           static_cast<char>('0' + rest % 10)};
  append({fraction, sizeof(fraction)});
}

void EventText::begin(char phase, std::string_view category, std::string_view name,
                      const Place& place, uint64_t time) {
  append(std::exchange(isFirst_, false) ? "\n{\"ph\":\"" : ",\n{\"ph\":\"");
  append({&phase, 1});
  append("\",\"cat\":\"");
  append(category);
  append("\",\"name\":\"");
  append(name);
  append("\",\"pid\":");
  appendNumber(static_cast<uint64_t>(place.process));
  append(",\"tid\":");
  appendNumber(place.thread);
  append(",\"ts\":");
  // What began before the timeline, on another clock, is not worth a sign.
  appendTime(time - std::min(time, origin_));
  hasArguments_ = false;
}

void EventText::beginSlice(std::string_view category, std::string_view name, const Place& place,
                           uint64_t started, uint64_t ended) {
  begin('X', category, name, place, started);
  append(",\"dur\":");
  appendTime(ended - std::min(started, ended));
}

void EventText::setId(uint64_t id) {
  append(",\"id\":");
  appendNumber(id);
}

void EventText::beginArgument(std::string_view key) {
  append(std::exchange(hasArguments_, true) ? ",\"" : ",\"args\":{\"");
  append(key);
  append("\":");
}

void EventText::addNumber(std::string_view key, uint64_t value) {
  beginArgument(key);
  appendNumber(value);
}

void EventText::addText(std::string_view key, std::string_view value) {
  beginArgument(key);
  append("\"");
  append(value);
  append("\"");
}

void EventText::end() {
  append(hasArguments_ ? "}}" : "}");
}

void EventText::nameRow(std::string_view what, const Place& place, std::string_view name) {
  begin('M', "__metadata", what, place, origin_);
  addText("name", name);
  end();
}

bool EventText::write() {
  append(closing);
  for (size_t written = 0; written < size_;) {
    const ssize_t count = pwrite(file_.get(), text_.data() + written, size_ - written,
                                 static_cast<off_t>(bytes_ + written));
    if (count <= 0 && errno == EINTR)
      continue;
    if (count <= 0) {
      // Whole again, as it was.
      [[maybe_unused]] const int cut = ftruncate(file_.get(), static_cast<off_t>(bytes_));
      [[maybe_unused]] const ssize_t closed =
          pwrite(file_.get(), closing.data(), closing.size(), static_cast<off_t>(bytes_));
      return false;
    }
    written += static_cast<size_t>(count);
  }
  bytes_ += std::exchange(size_, 0) - closing.size();
  return true;
}

} // namespace quern::trace
