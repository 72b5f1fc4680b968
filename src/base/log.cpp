#include "base/log.h"

#include <algorithm>
#include <array>
#include <string>

#include <sys/uio.h>
#include <unistd.h>

#include "base/config.h"

namespace quern::log {

namespace {

constexpr std::array<std::string_view, 4> levelNames = {"error", "warning", "info", "debug"};

int threshold() {
  static const int level = [] {
    const std::string& name = config().get(Option::Log);
    for (size_t i = 0; i < levelNames.size(); ++i)
      if (name == levelNames[i])
        return static_cast<int>(i);
    return -1;
  }();
  return level;
}

} // namespace

bool enabled(Level level) {
  return static_cast<int>(level) <= threshold();
}

void write(Level level, std::string_view message) {
  if (!enabled(level))
    return;
  std::array<iovec, 5> line;
  std::ranges::transform(
      std::array<std::string_view, 5>{"quern: ", levelNames[static_cast<size_t>(level)], ": ",
                                      message, "\n"},
      line.begin(),
      [](std::string_view part) { return iovec{const_cast<char*>(part.data()), part.size()}; });
  [[maybe_unused]] ssize_t written = writev(STDERR_FILENO, line.data(), line.size());
}

} // namespace quern::log
