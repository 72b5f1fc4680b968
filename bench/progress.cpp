#include "progress.h"

#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace quern::bench {
namespace {

/// Steps after which their mean says something of the others.
constexpr size_t fewSteps = 5;

} // namespace

Progress::Progress(size_t steps, bool asLines)
    : steps_(steps), asLines_(asLines), isTerminal_(isatty(STDERR_FILENO) != 0) {}

std::string Progress::timeLeft() const {
  const size_t ended = begun_ - 1;
  if (ended < fewSteps)
    return "";
  const double seconds =
      stopwatch_.seconds() / static_cast<double>(ended) * static_cast<double>(steps_ - ended);
  return seconds < 90 ? ", about " + std::to_string(std::lround(seconds)) + " s left"
                      : ", about " + std::to_string(std::lround(seconds / 60)) + " min left";
}

void Progress::begin(const std::string& what) {
  ++begun_;
  const std::string count = std::to_string(begun_) + " of " + std::to_string(steps_);
  if (asLines_)
    std::fprintf(stderr, "progress: %s: %s\n", count.c_str(), what.c_str());
  else if (isTerminal_)
    std::fprintf(stderr, "measuring %s%s: %s\r\033[K", count.c_str(), timeLeft().c_str(),
                 what.c_str());
}

} // namespace quern::bench
