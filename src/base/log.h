#pragma once

#include <string_view>

namespace quern::log {

enum class Level { Error, Warning, Info, Debug };

/// Whether messages of `level` are written; set by the option QUERN_LOG. Cheap, for guarding costly
/// messages.
bool enabled(Level level);

/// Writes one line "quern: level: message" to standard error in a single write, so lines of several
/// threads do not mix. Needs no memory.
void write(Level level, std::string_view message);

inline void error(std::string_view message) {
  write(Level::Error, message);
}
inline void warning(std::string_view message) {
  write(Level::Warning, message);
}
inline void info(std::string_view message) {
  write(Level::Info, message);
}
inline void debug(std::string_view message) {
  write(Level::Debug, message);
}

} // namespace quern::log
