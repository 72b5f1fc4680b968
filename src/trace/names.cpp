#include "trace/names.h"

#include <pthread.h>

namespace quern::trace {

Names& Names::get() {
  static Names& names = *new Names(); // never destroyed: threads may record while the process exits
  return names;
}

/// The child of a fork goes on with the same names, so nobody may be adding one meanwhile.
Names::Names() {
  pthread_atfork([] { get().adding_.lock(); }, [] { get().adding_.unlock(); },
                 [] { get().adding_.unlock(); });
}

Name Names::add(std::string_view text) {
  if (text.empty())
    return 0;
  const std::lock_guard lock(adding_);
  const auto [place, isNew] = known_.try_emplace(std::string(text), 0);
  if (isNew)
    place->second = texts_.add(escape(text));
  return place->second;
}

Track Names::addRow(std::string_view group, std::string_view name) {
  const std::lock_guard lock(adding_);
  const auto number = static_cast<uint32_t>(groups_.size());
  const uint32_t own = groups_.try_emplace(std::string(group), number).first->second;
  return rows_.add({own, std::string(group), std::string(name)});
}

std::string_view Names::escaped(Name name) const {
  const std::string* const text = texts_.find(name);
  return text ? std::string_view(*text) : std::string_view();
}

std::string escape(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string escaped;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (character == '"' || character == '\\') {
      escaped += '\\';
      escaped += character;
    } else if (byte < 0x20) {
      escaped += "\\u00";
      escaped += digits[byte >> 4];
      escaped += digits[byte & 15];
    } else {
      escaped += character;
    }
  }
  return escaped;
}

} // namespace quern::trace
